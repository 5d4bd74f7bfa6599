import { existsSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";

const venv = fileURLToPath(new URL("../.venv/bin/python", import.meta.url));

/** The Python that trains and checks the models: `PYTHON`, else that of `.venv` at the root, else `python3`. */
export const PYTHON = process.env.PYTHON ?? (existsSync(venv) ? venv : "python3");
