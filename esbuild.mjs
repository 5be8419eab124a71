// Builds everything that ships, and the playground.
//
// - `node esbuild.mjs` makes a development build, with source maps.
// - `--watch` repeats it on every change.
// - `--production` minifies, leaves out source maps, writes the third-party notices, and fails above the size budgets.
// - `--playground` builds the view in a plain page, to out/playground. With `--serve[=port]` it serves out/playground-served on a loopback port.
//   Further journals (*.jsonl) and protocol logs (*.ndjson) are given by their paths.
// - `--host-tests` builds the suite that runs inside VS Code, to out/test/host.
//
// Loading late. VS Code requires CommonJS in `main` on every host we support, and esbuild splits only ES modules. So the host is bundled as ES
// modules with splitting, and each output file is rewritten to CommonJS, where `import()` becomes a `require()` that runs on first use. To keep code
// out of activation, write
//
//     const { diff } = await import('../changes/diff');
//
// The imported module, and the modules that only it needs, become a file under dist/chunks/. A module that is also imported statically somewhere
// stays in the first load. One budget limits the code that the first session loads. A second, larger one limits all of the host's files. Code shared
// by two chunks exists once, so `instanceof` and module state hold. `vscode` and `node-pty` are never bundled.
import { build, context, transform } from 'esbuild';
import { createReadStream, existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkBudgets } from './build/budgets.mjs';
import { entryFiles, firstLoad } from './build/firstLoad.mjs';
import { folders } from './build/folders.mjs';
import { leanMcp } from './build/leanMcp.mjs';
import { writeNotices } from './build/notices.mjs';
import { writeSchemas } from './build/schemas.mjs';
import { texts } from './build/texts.mjs';
import { xterm } from './build/xterm.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');
const watch = flags.has('--watch');

/** @type {import('esbuild').BuildOptions} */
const shared = {
  absWorkingDir: root,
  bundle: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  minify: production,
  outbase: '.',
};

/** @type {import('esbuild').BuildOptions} */
const node = {
  ...shared,
  platform: 'node',
  target: 'node20',
  external: ['vscode', 'node-pty'],
  // We use only the converter of vscode-languageclient, which needs LSP's types. The protocol package would add JSON-RPC.
  alias: { 'vscode-languageserver-protocol': 'vscode-languageserver-types' },
};

/** @type {import('esbuild').BuildOptions} */
const host = {
  ...node,
  entryPoints: [{ in: 'src/extension.ts', out: 'extension' }],
  outdir: 'dist',
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: production ? false : 'inline',
  write: false,
  plugins: [folders(), leanMcp(), together('src/workbench/chat/newPanel.ts', 'src/workbench/app.ts'), commonJs()],
};

/** @type {import('esbuild').BuildOptions} */
const programs = {
  ...node,
  entryPoints: [
    { in: 'src/demo/agent.ts', out: 'demo-agent' },
    { in: 'src/agent/preload.ts', out: 'package-runner' },
    { in: 'src/agent/ssh/askpass.ts', out: 'ssh-askpass' },
    { in: 'src/sandbox/helper.ts', out: 'sandbox-helper' },
    { in: 'src/mcp/bridge/bridge.ts', out: 'mcp-bridge' },
    { in: 'src/agent/keeper/main.ts', out: 'keeper' },
  ],
  outdir: 'dist',
  format: 'cjs',
  sourcemap: !production,
};

/** @type {import('esbuild').BuildOptions} */
const browser = {
  ...shared,
  platform: 'browser',
  target: 'chrome128',
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Inline, because the page's policy forbids every fetch.
  sourcemap: production ? false : 'inline',
};
browser.plugins = [texts(browser), folders(), xterm(), pageFiles()];

/** The code in the page's document, and the modules that its script imports at once, although by `import()`. */
const shellScript = 'webview/shell.ts';
const importedAtOnce = ['webview/app/conversationChunk.ts'];

/** @type {import('esbuild').BuildOptions} */
const webview = {
  ...browser,
  entryPoints: [
    { in: 'webview/main.tsx', out: 'main' },
    { in: shellScript, out: 'shell' },
    { in: 'webview/style/index.css', out: 'main' },
  ],
  outdir: 'dist/webview',
  plugins: [...browser.plugins, together('webview/main.tsx', ...importedAtOnce)],
};

/** The page of agents: a bundle of its own, so that it adds nothing to the page of a session. */
const agentsPage = (/** @type {string} */ outdir) => ({
  ...browser,
  entryPoints: [
    { in: 'webview/agents/main.tsx', out: 'main' },
    { in: 'webview/agents/agents.css', out: 'main' },
  ],
  outdir,
  plugins: [folders(), together('webview/agents/main.tsx')],
});

/** The inspector: a bundle of its own for the same reason. */
const inspectorPage = (/** @type {string} */ outdir) => ({
  ...browser,
  entryPoints: [
    { in: 'webview/inspector/main.tsx', out: 'main' },
    { in: 'webview/inspector/inspector.css', out: 'main' },
  ],
  outdir,
  plugins: [folders(), together('webview/inspector/main.tsx')],
});

/** @type {import('esbuild').BuildOptions} */
const playground = {
  ...browser,
  entryPoints: [
    { in: 'webview/playground/main.tsx', out: 'main' },
    { in: shellScript, out: 'shell' },
    { in: 'webview/style/index.css', out: 'main' },
  ],
  outdir: 'out/playground',
  plugins: [...browser.plugins, together('webview/playground/main.tsx', ...importedAtOnce)],
};

/** @type {import('esbuild').BuildOptions} */
const hostTests = {
  ...node,
  entryPoints: ['test/host/**/*.ts'],
  outdir: 'out',
  format: 'cjs',
  // External: mocha finds its own files at run time, and the suite always runs beside node_modules.
  external: ['vscode', 'node-pty', 'mocha'],
  sourcemap: 'inline',
};

/**
 * Removes the copy of `vscode` that esbuild makes per file. The module is CommonJS and has no default export, so the copy has no use.
 * @param {string} code
 */
function plainVSCode(code) {
  // Starting at the beginning of a word only: the inline source map is one word of megabytes.
  return code.replace(/(?<![\w$])[\w$]+\(require\("vscode"\)(?:,\s*1)?\)/g, 'require("vscode")');
}

/**
 * Makes one file for the modules that each step loads. esbuild makes a file for each set of entries that share a module. So every late module states
 * that the steps come before it, which is always true. The host's first load in forty files took 17 KB more and forty reads in a row. A webview's
 * file takes a dozen messages.
 * @param {...string} steps modules that are always loaded in this order
 */
function together(...steps) {
  const files = steps.map((step) => path.join(root, step));
  return {
    name: 'together',
    /** @param {import('esbuild').PluginBuild} plugin */
    setup(plugin) {
      // A worker is built as a separate bundle.
      if (plugin.initialOptions.format === 'iife') return;
      // Collected before anything is loaded: the first importer of a file, late or not, differs between builds.
      /** @type {Set<string>} */
      let late = new Set();
      plugin.onStart(async () => {
        late = await lateFiles();
      });
      plugin.onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
        if (!late.has(file.replace(/\.tsx?$/, ''))) return undefined;
        const before = files.includes(file) ? files.slice(0, files.indexOf(file)) : files;
        const imports = before.map((each) => `import ${JSON.stringify(each)};`).join('');
        return { contents: `${await readFile(file, 'utf8')}\n${imports}`, loader: file.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}

/**
 * Resolves to the files that are imported by `import()`, without the names' endings.
 * @returns {Promise<Set<string>>}
 */
async function lateFiles() {
  const found = new Set();
  for (const folder of ['src', 'webview']) {
    for (const name of await readdir(path.join(root, folder), { recursive: true })) {
      if (!/\.tsx?$/.test(name)) continue;
      const file = path.join(root, folder, name);
      for (const [, asked] of (await readFile(file, 'utf8')).matchAll(/(?<!typeof )\bimport\(\s*'(\.[^']+)'\s*\)/g)) {
        found.add(path.resolve(path.dirname(file), asked));
      }
    }
  }
  return found;
}

/** Rewrites the host's ES module output to CommonJS and writes it. Source maps stay true to the sources. */
function commonJs() {
  return {
    name: 'common-js',
    /** @param {import('esbuild').PluginBuild} plugin */
    setup(plugin) {
      plugin.onEnd(async ({ outputFiles = [] }) => {
        // The names of chunks change with their content. Without this, a watch would accumulate them.
        await rm(path.join(root, 'dist/chunks'), { recursive: true, force: true });
        for (const file of outputFiles) {
          const { code } = await transform(file.text, {
            format: 'cjs',
            platform: 'node',
            target: 'node20',
            supported: { 'dynamic-import': false },
            charset: 'utf8',
            legalComments: 'none',
            logLevel: 'warning',
            minify: production,
            sourcefile: path.relative(root, file.path),
            sourcemap: production ? false : 'inline',
          });
          await mkdir(path.dirname(file.path), { recursive: true });
          await writeFile(file.path, plainVSCode(code));
        }
      });
    },
  };
}

/** Writes `page.json` beside the page's bundle, for `application/chat/pageFiles.ts`. */
function pageFiles() {
  return {
    name: 'page-files',
    /** @param {import('esbuild').PluginBuild} plugin */
    setup(plugin) {
      const folder = plugin.initialOptions.outdir;
      // A worker's own build has the same plugins.
      if (plugin.initialOptions.format === 'iife' || !folder) return;
      plugin.onEnd(async ({ metafile, errors }) => {
        if (!metafile || errors.length > 0) return;
        const main = `${folder}/main.js`;
        const text = (/** @type {string} */ name) => readFile(path.join(root, folder, name), 'utf8');
        const imports = firstLoad(metafile, [main, ...entryFiles(metafile, importedAtOnce)]).filter((file) => file !== main);
        const files = {
          style: await text('main.css'),
          shell: await text('shell.js'),
          imports: imports.map((file) => path.posix.relative(folder, file)),
        };
        await writeFile(path.join(root, folder, 'page.json'), JSON.stringify(files));
      });
    },
  };
}

/**
 * Serves the playground from a separate folder, because a test's browser may be reading the other one. The playground is built again when its page is
 * loaded; esbuild's own server would do so for every file.
 * @param {number} port 0: any that is free
 */
async function servePlayground(port) {
  const outdir = 'out/playground-served';
  await copyPlaygroundFiles(outdir);
  const builder = await context({ ...playground, outdir });
  /** @type {Record<string, string>} */
  const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
      const name = pathname === '/' ? '/index.html' : path.posix.normalize(decodeURIComponent(pathname));
      // esbuild has printed the errors.
      if (pathname === '/') await builder.rebuild().catch(() => {});
      const content = await readFile(path.join(root, outdir, name));
      response.setHeader('content-type', types[path.extname(name)] ?? 'application/octet-stream').end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(port, '127.0.0.1', () => {
    const address = /** @type {import('node:net').AddressInfo} */ (server.address());
    console.log(`Playground: http://127.0.0.1:${address.port}/`);
  });
}

/**
 * The page and the journals it can replay, beside the playground's bundle.
 * @param {string} outdir
 */
async function copyPlaygroundFiles(outdir) {
  await mkdir(path.join(root, outdir), { recursive: true });
  await cp(path.join(root, 'webview/playground/index.html'), path.join(root, outdir, 'index.html'));
  const journals = path.join(root, 'test/fixtures/journals');
  const to = path.join(root, outdir, 'journals');
  await mkdir(to, { recursive: true });
  if (existsSync(journals)) await cp(journals, to, { recursive: true });
  const given = [...flags].filter((flag) => !flag.startsWith('-')).map((file) => path.resolve(file));
  for (const file of given.filter((each) => each.endsWith('.jsonl'))) await cp(file, path.join(to, path.basename(file)));
  const frames = path.join(root, 'test/fixtures/frames');
  const logs = (await readdir(frames)).map((name) => path.join(frames, name));
  await writeReplays(
    [...logs, ...given].filter((file) => file.endsWith('.ndjson')),
    to,
  );
  const names = (await readdir(to)).filter((name) => name.endsWith('.jsonl')).map((name) => name.replace(/\.jsonl$/, ''));
  await writeFile(path.join(to, 'index.json'), JSON.stringify(names.sort()));
}

/**
 * Writes the logs as journals into `to`, each under its name, because the page knows events, not frames. A log of several sessions becomes its
 * longest one.
 * @param {string[]} logs
 * @param {string} to
 */
async function writeReplays(logs, to) {
  const contents = `export { replayStream } from './src/acp/replay/replay'; export { LOGGED_V1 } from './src/acp/v1/clientFrames';`;
  const stdin = { contents, resolveDir: root, loader: /** @type {const} */ ('ts') };
  const bundled = await build({ ...node, stdin, format: 'esm', write: false, outdir: 'out' });
  const { replayStream, LOGGED_V1 } = await import(
    `data:text/javascript;base64,${Buffer.from(bundled.outputFiles?.[0]?.contents ?? []).toString('base64')}`
  );
  const options = { startedAt: 0, agentName: 'Agent', versions: [LOGGED_V1], maxBytes: Infinity, pause: async () => {} };
  for (const file of logs) {
    const { sessions } = await replayStream(createReadStream(file), options);
    const [longest] = sessions.toSorted((/** @type {{ length: number }} */ a, /** @type {{ length: number }} */ b) => b.length - a.length);
    if (!longest) continue;
    const lines = longest.events.map((/** @type {unknown} */ event, /** @type {number} */ seq) => JSON.stringify({ seq, event }));
    await writeFile(path.join(to, `${path.basename(file).replace(/\.ndjson$/, '')}.jsonl`), lines.join('\n') + '\n');
  }
}

/**
 * Watches `all` as one: says when work starts and when every bundle is up to date, in the words that the watch task in
 * .vscode/tasks.json waits for.
 */
async function watchAll(/** @type {import('esbuild').BuildOptions[]} */ ...all) {
  const waiting = new Set(all);
  const announce = (/** @type {import('esbuild').BuildOptions} */ options) => ({
    name: 'announce',
    setup(/** @type {import('esbuild').PluginBuild} */ plugin) {
      plugin.onStart(() => {
        waiting.add(options);
        console.log('[watch] build started');
      });
      plugin.onEnd(({ errors }) => {
        for (const { text, location } of errors) console.error(`${location?.file}:${location?.line}:${location?.column}: error: ${text}`);
        waiting.delete(options);
        if (waiting.size === 0) console.log('[watch] build finished');
      });
    },
  });
  for (const options of all) {
    const watcher = await context({ ...options, logLevel: 'silent', plugins: [...(options.plugins ?? []), announce(options)] });
    await watcher.watch();
  }
}

/** Copies the parsers of command lines and their runtime, which are loaded as files. */
async function copyParsers() {
  const from = path.join(root, 'node_modules/@vscode/tree-sitter-wasm/wasm');
  const to = path.join(root, 'dist/tree-sitter');
  await mkdir(to, { recursive: true });
  for (const name of ['tree-sitter.js', 'tree-sitter.wasm', 'tree-sitter-bash.wasm', 'tree-sitter-powershell.wasm']) {
    await cp(path.join(from, name), path.join(to, name));
  }
}

async function main() {
  if (flags.has('--playground')) {
    const serve = [...flags].find((flag) => /^--serve(=\d+)?$/.test(flag));
    if (serve) return servePlayground(Number(serve.split('=')[1] ?? 0));
    await copyPlaygroundFiles('out/playground');
    const pages = [agentsPage('out/playground/agents'), inspectorPage('out/playground/inspector')];
    return void (await Promise.all([playground, ...pages].map((options) => build(options))));
  }
  if (flags.has('--host-tests')) return void (await build(hostTests));
  await rm(path.join(root, 'dist'), { recursive: true, force: true });
  await copyParsers();
  await writeSchemas(root, 'dist/schema');
  const agents = agentsPage('dist/webview/agents');
  const inspector = inspectorPage('dist/webview/inspector');
  if (watch) return watchAll(host, programs, webview, agents, inspector);
  const results = await Promise.all([build(host), build(programs), build(webview), build(agents), build(inspector)]);
  if (!production) return;
  const [hostFiles, programFiles, webviewFiles, agentsFiles, inspectorFiles] = results.map(({ metafile }) => metafile);
  await checkBudgets(root, hostFiles, webviewFiles, agentsFiles, inspectorFiles, importedAtOnce);
  await writeNotices(root, [hostFiles, programFiles, webviewFiles, agentsFiles, inspectorFiles]);
}

await main().catch((error) => {
  // esbuild has already printed its own errors, with the place.
  if (!('errors' in error)) console.error(String(error?.message ?? error));
  process.exit(1);
});
