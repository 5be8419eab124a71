/** Loads a module of `src/workbench` with a fake `vscode`. */
import Module from 'node:module';
import path from 'node:path';

const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };

/**
 * Calls `load`, which requires modules of the workbench, with this `vscode`. The modules are new instances; those that other tests have
 * loaded are restored afterwards.
 */
export function withVscode<T>(vscode: object, load: () => T): T {
  const leave = enterVscode(vscode);
  try {
    return load();
  } finally {
    leave();
  }
}

/** Does the same until the returned function is called, for modules of the workbench that load others late. */
export function enterVscode(vscode: object): () => void {
  const original = loader._load;
  const others = takeModules();
  loader._load = (request, ...rest) => (request === 'vscode' ? vscode : original.call(loader, request, ...rest));
  return () => {
    loader._load = original;
    takeModules();
    others.forEach((module, name) => (require.cache[name] = module));
  };
}

function takeModules(): ReadonlyMap<string, NodeJS.Module> {
  const names = Object.keys(require.cache).filter((name) => name.includes(`${path.sep}workbench${path.sep}`));
  const taken = new Map(names.map((name) => [name, require.cache[name]!]));
  names.forEach((name) => delete require.cache[name]);
  return taken;
}
