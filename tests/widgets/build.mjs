// Makes the pages out of `pages/` and the installed libraries: `node build.mjs FOLDER` fills FOLDER/site.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const sources = path.join(path.dirname(fileURLToPath(import.meta.url)), "pages");
const folder = path.resolve(process.argv[2]);
const site = path.join(folder, "site");
const installed = createRequire(path.join(folder, "package.json"));
const esbuild = installed("esbuild");

const VUE = { __VUE_OPTIONS_API__: "true", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false" };

const page = (name, body, styles) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,">
${styles}<style>body { font: 16px/1.4 sans-serif; margin: 16px; } label { display: block; margin: 6px 0; }</style></head>
<body>${body}</body></html>
`;

const svelte = {
  name: "svelte",
  setup(build) {
    build.onLoad({ filter: /\.svelte$/ }, ({ path: file }) => {
      const { compile } = installed("svelte/compiler");
      return { contents: compile(fs.readFileSync(file, "utf8"), { filename: file }).js.code };
    });
  },
};

function libraries(entries) {
  return esbuild.build({
    entryPoints: entries.map((name) => path.join(sources, name)),
    outdir: path.join(site, "js"),
    bundle: true,
    splitting: true,
    format: "esm",
    target: "chrome125",
    minify: true,
    logLevel: "error",
    nodePaths: [path.join(folder, "node_modules")],
    conditions: ["browser", "module"],
    jsx: "automatic",
    plugins: [svelte],
    define: { "process.env.NODE_ENV": '"production"', "process.env": "{}", global: "window", ...VUE },
    loader: Object.fromEntries(["ttf", "woff", "woff2", "svg", "png", "gif", "webp", "eot"].map((kind) => [`.${kind}`, "file"])),
    publicPath: "/js",
  });
}

fs.mkdirSync(site, { recursive: true });
for (const left of fs.readdirSync(site)) if (left !== "miniwob") fs.rmSync(path.join(site, left), { recursive: true });
const names = fs.readdirSync(sources);
const scripts = names.filter((name) => /\.jsx?$/.test(name));
await libraries(scripts);
for (const script of scripts) {
  const name = script.replace(/\.jsx?$/, "");
  const styled = fs.existsSync(path.join(site, "js", `${name}.css`));
  const styles = styled ? `<link rel="stylesheet" href="/js/${name}.css">\n` : "";
  const body = `<div id="app"></div><script type="module" src="/js/${name}.js"></script>`;
  fs.writeFileSync(path.join(site, `${name}.html`), page(name, body, styles));
}
for (const name of names.filter((name) => name.endsWith(".html"))) {
  const body = fs.readFileSync(path.join(sources, name), "utf8");
  fs.writeFileSync(path.join(site, name), page(name.replace(".html", ""), body, ""));
}
