// AutoNumeric: a field that follows keys, and drops as it is left what came without them.
import AutoNumeric from "autonumeric";
import { put, report } from "./state.js";

put("<label>Sum <input id=sum></label><label>Other <input></label>");
const sum = new AutoNumeric("#sum", { digitGroupSeparator: "" });
report(() => sum.getNumericString());
