import {
  type Application,
  Comment,
  type Context,
  Converter,
  DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
  UnknownType,
} from "typedoc";
import ts from "typescript";
import { fileURLToPath } from "node:url";
import { type EntryPoint, entryPoints } from "./entry-points.ts";

/**
 * A plugin of TypeDoc that makes the pages of the public interface readable: details that are documented elsewhere are
 * removed from the generated types.
 */
export function load(app: Application): void {
  const entries = entryPoints(fileURLToPath(new URL("../..", import.meta.url)));
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context: Context) => {
    const { project, programs } = context;
    context.setActiveProgram(programs[0]);
    for (const entry of entries) introduce(project, entry);
    for (const reflection of Object.values(project.reflections)) {
      if (!(reflection instanceof DeclarationReflection)) continue;
      showUnion(context, reflection);
      shorten(project, reflection);
    }
    context.setActiveProgram(undefined);
  });
}

/** A type that is read off a constant shows what it comes to: the texts one may write. */
function showUnion(context: Context, reflection: DeclarationReflection): void {
  if (!reflection.kindOf(ReflectionKind.TypeAlias)) return;
  const symbol = context.getSymbolFromReflection(reflection);
  const declaration = symbol?.declarations?.find(ts.isTypeAliasDeclaration);
  if (symbol === undefined || declaration === undefined || !/\btypeof\b/.test(declaration.type.getText()))
    return;
  const type = context.checker.getDeclaredTypeOfSymbol(symbol);
  if (!type.isUnion()) return;
  context.project.removeTypeReflections(reflection.type);
  const inside = reflection.parent === undefined ? context : context.withScope(reflection.parent);
  reflection.type = context.converter.convertType(inside.withScope(reflection), type);
}

function introduce(project: ProjectReflection, { name, file, about }: EntryPoint): void {
  const path = file.replace(/(?:\/index)?\.ts$/, "");
  const module = project.children?.find((child) => child.name === path);
  if (module === undefined) throw new Error(`no page for ${name}: ${path} is not among the modules`);
  module.name = name;
  module.comment = new Comment([{ kind: "text", text: about }]);
}

/** Replaces generated types that are pages long. */
function shorten(project: ProjectReflection, reflection: DeclarationReflection): void {
  if (reflection.kindOf(ReflectionKind.Interface) && /^(?:Store|Fleet)Paths$/.test(reflection.name)) {
    for (const child of (reflection.children ?? []).slice()) project.removeReflection(child);
    reflection.comment = new Comment([{ kind: "text", text: paths }]);
  }
  if (!reflection.kindOf(ReflectionKind.Variable)) return;
  const short = shortType(reflection);
  if (short === undefined) return;
  project.removeTypeReflections(reflection.type);
  reflection.type = new UnknownType(short);
  delete reflection.defaultValue;
}

const paths =
  "The operations as openapi-typescript writes them: the types of `client.http`. The documents themselves are `shelfleet/specs/store.openapi.yaml` and `shelfleet/specs/fleet.openapi.yaml`.";

function shortType({ name, parent }: DeclarationReflection): string | undefined {
  if (/\/schemas$|\.schemas$/.test(parent?.name ?? "")) return "schema of zod/mini";
  if (name === "gaps") return "one entry for each gap, by its id";
  return name === "mockReadings" ? "the readings of each gap, by its id, the default first" : undefined;
}
