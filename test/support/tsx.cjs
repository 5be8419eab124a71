// Lets Node.js load TypeScript, including the view's JSX. When a file is missing, one call of esbuild translates all files. The folder
// out/test/loaded stores them by their content: a process that finds its files there starts as fast as one of plain JavaScript. The tests
// start hundreds of processes.
const { createHash } = require('node:crypto');
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

const root = path.resolve(__dirname, '..', '..');
const folders = ['src', 'webview', 'test'];
const kept = path.join(root, 'out', 'test', 'loaded');
const self = readFileSync(__filename);

process.setSourceMapsEnabled(true);

/** The name depends on the path inside the project, so that Windows finds what Linux translated. */
const placeOf = (file, source) => {
  const name = path.relative(root, file).replaceAll('\\', '/');
  return path.join(kept, `${createHash('sha1').update(self).update(name).update(source).digest('hex')}.js`);
};

/** Returns the code of these files, each with its source map. */
function translated(files) {
  const { outputFiles } = require('esbuild').buildSync({
    entryPoints: files,
    outdir: kept,
    outbase: root,
    absWorkingDir: root,
    write: false,
    logLevel: 'silent',
    format: 'cjs',
    platform: 'node',
    target: `node${process.versions.node}`,
    // TypeScript files are loaded by `require`.
    supported: { 'dynamic-import': false },
    sourcemap: 'external',
    sourcesContent: false,
    tsconfig: path.join(__dirname, 'tsconfig.run.json'),
  });
  const outputs = new Map(outputFiles.map((output) => [output.path, output.text]));
  return files.map((file) => {
    const output = path.join(kept, path.relative(root, file).replace(/\.[jt]sx?$/, '.js'));
    const map = JSON.stringify({ ...JSON.parse(outputs.get(`${output}.map`)), sources: [path.basename(file)] });
    const code = outputs.get(output).replaceAll('=> __toESM(require(', '=> module.constructor.importLate(require, __toESM, (');
    return `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  });
}

/** Moves the file into place when it is complete: other processes read it. */
function keep(place, code) {
  writeFileSync(`${place}.${process.pid}`, code);
  renameSync(`${place}.${process.pid}`, place);
}

/** Translates every file that is not in {@link kept} yet, and `others`, and deletes the code of other files and of earlier versions. */
function translateAll(others = []) {
  mkdirSync(kept, { recursive: true });
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name)),
  );
  files.push(...others);
  const places = files.map((file) => placeOf(file, readFileSync(file)));
  const present = new Set(readdirSync(kept).map((name) => path.join(kept, name)));
  const missing = files.map((file, index) => ({ file, place: places[index] })).filter(({ place }) => !present.has(place));
  try {
    translated(missing.map(({ file }) => file)).forEach((code, index) => keep(missing[index].place, code));
  } catch {
    // The process that loads the invalid file gets the error.
  }
  const wanted = new Set(places);
  for (const place of present) if (!wanted.has(place)) rmSync(place, { force: true });
}

function codeOf(file) {
  const source = readFileSync(file);
  const place = placeOf(file, source);
  try {
    return readFileSync(place, 'utf8');
  } catch {
    translateAll();
  }
  try {
    return readFileSync(place, 'utf8');
  } catch {
    // The file is outside our folders, or the only new one.
    const [code] = translated([file]);
    keep(place, code);
    return code;
  }
}

/** The replacement of `import()`: an ES module that cannot be required is imported. */
Module.importLate = (require, toModule, name) => {
  try {
    return toModule(require(name));
  } catch (error) {
    if (error.code === 'ERR_REQUIRE_ASYNC_MODULE') return import(pathToFileURL(require.resolve(name)));
    if (error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return import(name);
    throw error;
  }
};

const load = (module, file) => module._compile(codeOf(file), file);
const { '.json': json, ...others } = Module._extensions;
for (const name of ['.json', '.node']) delete Module._extensions[name];
// The order matters: `./themes` is `themes.ts`, not `themes.json`.
Object.assign(Module._extensions, { '.ts': load, '.tsx': load, '.json': json, '.node': others['.node'] });

// Libraries with ES modules in `.js` files that do not declare them to Node.js.
const loadScript = Module._extensions['.js'];
Module._extensions['.js'] = (module, file) => (/[\\/]node_modules[\\/].*[\\/]esm[\\/]/.test(file) ? load : loadScript)(module, file);

// `folder:./FOLDER`: the default exports of all modules in a folder, by the names of their files, like `build/folders.mjs` bundles them.
Module._extensions['.folder'] = (module, file) => {
  const folder = file.slice(0, -'.folder'.length);
  const files = readdirSync(folder).filter((file) => /\.tsx?$/.test(file));
  const names = files.map((file) => path.parse(file).name).sort();
  const modules = names.map((name) => [name, module.require(path.join(folder, name)).default]);
  module.exports = { __esModule: true, default: Object.fromEntries(modules) };
};

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  if (request.startsWith('folder:')) return `${path.resolve(path.dirname(parent.filename), request.slice('folder:'.length))}.folder`;
  return resolve.call(this, request.startsWith('file:') ? fileURLToPath(request) : request, parent, ...rest);
};

exports.translateAll = translateAll;
