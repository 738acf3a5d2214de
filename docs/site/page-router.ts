import { type Reflection, ReflectionKind, StructureRouter } from "typedoc";

/** Addresses that stay when a title is mended: a written page lies where its file does, the rest as it is exported. */
export class PageRouter extends StructureRouter {
  override getIdealBaseName(reflection: Reflection): string {
    if (reflection.isDocument()) return String(reflection.frontmatter["path"]);
    if (reflection.kindOf(ReflectionKind.Module)) return modulePath(reflection.name);
    const { parent } = reflection;
    if (parent?.kindOf(ReflectionKind.Module)) return `${modulePath(parent.name)}/${reflection.name}`;
    return super.getIdealBaseName(reflection);
  }
}

/** `api/shelfleet-store`: not `shelfleet/store`, as `shelfleet/Store` is a page too and some disks know no capitals. */
export function modulePath(name: string): string {
  return `api/${name.replaceAll("/", "-")}`;
}
