import { rows } from "../client/pagination/protocol-cases.ts";
import { hasId, testProtocolWalks } from "./protocol-walks.ts";

testProtocolWalks(rows.filter(([kind]) => hasId(kind)));
