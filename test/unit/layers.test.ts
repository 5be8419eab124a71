/** The layer rule of docs/architecture.md, over every import of src/ and webview/. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(__dirname, '../..');
const services = ['acp', 'agent', 'fs', 'terminal', 'policy', 'changes', 'mcp', 'context', 'worktree', 'sandbox', 'registry', 'share'];
const sdk = '@agentclientprotocol/sdk';

interface Import {
  specifier: string;
  typeOnly: boolean;
}

interface Layer {
  /** The layers that may be imported, as types or at run time. A layer may always import itself. */
  layers: string[];
  /** True when a package, a Node module or `vscode` may be imported. */
  outside(imported: Import): boolean;
}

const belowWorkbench = ({ specifier, typeOnly }: Import) => typeOnly || specifier !== 'vscode';
const below = {
  application: ['session', ...services, 'text', 'util', 'core'],
  session: [...services, 'text', 'util', 'core'],
  service: ['text', 'util', 'core'],
};
/** Libraries without side effects. */
const pure = new Set(['marked', 'diff']);

const layers: Record<string, Layer> = {
  extension: { layers: ['workbench', 'api', 'application', ...below.application], outside: () => true },
  workbench: { layers: ['api', 'application', ...below.application], outside: () => true },
  application: { layers: below.application, outside: belowWorkbench },
  api: { layers: ['session', ...below.session], outside: belowWorkbench },
  session: { layers: below.session, outside: belowWorkbench },
  ...Object.fromEntries(services.map((service) => [service, { layers: below.service, outside: belowWorkbench }])),
  text: { layers: ['core'], outside: ({ specifier }) => pure.has(specifier) },
  util: { layers: ['core'], outside: belowWorkbench },
  core: { layers: [], outside: ({ specifier, typeOnly }) => typeOnly && specifier.startsWith(sdk) },
  demo: { layers: [], outside: ({ specifier }) => specifier.startsWith(sdk) || isBuiltin(specifier) },
  webview: { layers: ['core', 'text'], outside: ({ specifier }) => specifier !== 'vscode' && !isBuiltin(specifier) },
};

/** `src/acp/transport/ndjson` → `acp`, `src/extension` → `extension`, `webview/app` → `webview`. */
function layerOf(file: string): string | undefined {
  const [top, second] = file.replace(/\.tsx?$/, '').split('/');
  return top === 'webview' ? 'webview' : top === 'src' ? second : undefined;
}

/** The imports by the file's text, because the planted cases check the same tree again. */
const parsed = new Map<string, Import[]>();

/**
 * Static and dynamic imports, re-exports, `require` and `import('x').T`. `import { type X }` loads the module: a run-time one. A folder
 * (`folder:./x`) is imported by its path.
 */
function importsOf(file: string, text: string): Import[] {
  const known = parsed.get(text);
  if (known) {
    return known;
  }
  const imports: Import[] = [];
  parsed.set(text, imports);
  const add = (node: ts.Node | undefined, typeOnly: boolean) => {
    if (node && ts.isStringLiteralLike(node)) {
      imports.push({ specifier: node.text.replace(/^folder:/, ''), typeOnly });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly);
    } else if (ts.isImportTypeNode(node)) {
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
    } else if (ts.isExternalModuleReference(node)) {
      add(node.expression, false);
    } else if (ts.isCallExpression(node)) {
      const { expression } = node;
      const loads = expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(expression) && expression.text === 'require');
      if (loads) {
        add(node.arguments[0], false);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext));
  return imports;
}

/** The edges that break the rule, as `file → target (why)`, for files by their path from the root. */
function violations(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [file, text] of files) {
    const from = layerOf(file) ?? '';
    const layer = layers[from];
    if (!layer) {
      found.push(`${file} (belongs to no layer)`);
      continue;
    }
    for (const imported of importsOf(file, text)) {
      const { specifier, typeOnly } = imported;
      const kind = typeOnly ? 'a type' : 'at run time';
      if (!specifier.startsWith('.')) {
        if (!layer.outside(imported)) {
          found.push(`${file} → ${specifier} (${from} may not import it, ${kind})`);
        }
        continue;
      }
      const target = path.posix.join(path.posix.dirname(file), specifier);
      const to = layerOf(target);
      if (to !== from && !layer.layers.includes(to ?? '')) {
        found.push(`${file} → ${target} (${from} may not import ${to ?? 'it'}, ${kind})`);
      }
    }
  }
  return found;
}

/**
 * The parts of `src/acp`, and which other parts each may use besides the shared ones. Framing, JSON-RPC and the versions are combined in the layer
 * above them. A quirk knows no version's decoder.
 */
const wire: Readonly<Record<string, readonly string[]>> = {
  json: [],
  transport: [],
  jsonrpc: ['json', 'trace'],
  quirks: ['json', 'dialect'],
  v1: ['json', 'jsonrpc', 'quirks', 'dialect', 'protocolVersion', 'clientFrames'],
  // Version 2 reads the shapes that it shares with version 1 by the same decoders. Version 1 knows nothing of version 2.
  v2: ['json', 'jsonrpc', 'v1', 'dialect', 'protocolVersion', 'clientFrames'],
  replay: ['json', 'jsonrpc', 'transport', 'connect', 'dialect', 'clientFrames'],
  connect: ['json', 'jsonrpc', 'dialect', 'protocolVersion'],
};

/** Edges between parts of `src/acp` that must not know each other, as `file → target`. */
function wireViolations(files: ReadonlyMap<string, string>): string[] {
  const partOf = (file: string): string | undefined => /^src\/acp\/(\w+)/.exec(file)?.[1];
  return [...files].flatMap(([file, text]) => {
    const part = partOf(file) ?? '';
    const known = Object.hasOwn(wire, part) ? wire[part] : undefined;
    return importsOf(file, text)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => path.posix.join(path.posix.dirname(file), specifier))
      .filter((target) => known && partOf(target) !== undefined && partOf(target) !== part && !known.includes(partOf(target)!))
      .map((target) => `${file} → ${target}`);
  });
}

/** The files of `src/workbench` whose imports never reach `vscode`. The handlers of a feature stay together. */
function movable(files: ReadonlyMap<string, string>): string[] {
  const targets = fileTargets(files);
  const needs = new Set(
    [...files].flatMap(([file, text]) => (importsOf(file, text).some(({ specifier }) => specifier === 'vscode') ? [file] : [])),
  );
  for (let size = -1; size !== needs.size; ) {
    size = needs.size;
    for (const [file, imported] of targets) {
      void (imported.some((target) => needs.has(target)) && needs.add(file));
    }
  }
  const isInWorkbench = (file: string): boolean => file.startsWith('src/workbench/') && !file.startsWith('src/workbench/features/');
  return [...files.keys()].filter((file) => isInWorkbench(file) && !needs.has(file));
}

/** The groups of nodes that reach each other in a circle, each sorted. */
function groups(targets: ReadonlyMap<string, Iterable<string>>): string[][] {
  // Tarjan's algorithm: a group is what is left on the stack when its first node is finished.
  const [numbers, lowest, stack, found] = [new Map<string, number>(), new Map<string, number>(), [] as string[], [] as string[][]];
  const visit = (node: string): void => {
    numbers.set(node, numbers.size);
    lowest.set(node, numbers.get(node)!);
    stack.push(node);
    for (const target of targets.get(node) ?? []) {
      if (!numbers.has(target)) {
        visit(target);
      }
      if (stack.includes(target)) {
        lowest.set(node, Math.min(lowest.get(node)!, lowest.get(target)!));
      }
    }
    if (lowest.get(node) === numbers.get(node)) {
      const group = stack.splice(stack.indexOf(node));
      if (group.length > 1) {
        found.push(group.sort());
      }
    }
  };
  [...targets.keys()].forEach((node) => numbers.has(node) || visit(node));
  return found;
}

/** The project's files that each file imports. */
function fileTargets(files: ReadonlyMap<string, string>): Map<string, string[]> {
  return new Map(
    [...files].map(([file, text]) => [file, importsOf(file, text).flatMap(({ specifier }) => resolved(files, file, specifier))]),
  );
}

/** The layers where folders import each other in a circle, each with its groups of folders. A folder and its subfolder are two folders. */
function folderCircles(files: ReadonlyMap<string, string>): Record<string, string[][]> {
  const targets: Record<string, Map<string, Set<string>>> = {};
  for (const [file, imported] of fileTargets(files)) {
    const layer = layerOf(file) ?? '';
    const folders = (targets[layer] ??= new Map());
    const inside = imported.filter((target) => layerOf(target) === layer).map((target) => path.posix.dirname(target));
    const folder = path.posix.dirname(file);
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...inside]));
  }
  const found = Object.entries(targets).map(([layer, folders]) => [layer, groups(folders)] as const);
  return Object.fromEntries(found.filter(([, circles]) => circles.length > 0));
}

/** The imports between the folders of a group, as `file → target`. */
function edgesIn(files: ReadonlyMap<string, string>, group: readonly string[]): string[] {
  const isIn = (file: string): boolean => group.includes(path.posix.dirname(file));
  return [...fileTargets(files)].flatMap(([file, targets]) =>
    targets
      .filter((target) => isIn(file) && isIn(target) && path.posix.dirname(file) !== path.posix.dirname(target))
      .map((target) => `${file} → ${target}`),
  );
}

/** The project's file, or the files of the folder, that a specifier names. None for packages, texts and bytes. */
function resolved(files: ReadonlyMap<string, string>, from: string, specifier: string): string[] {
  if (!specifier.startsWith('.')) {
    return [];
  }
  const target = path.posix.join(path.posix.dirname(from), specifier);
  const found = [target, `${target}.ts`, `${target}.tsx`, `${target}.d.ts`].find((file) => files.has(file));
  return found === undefined ? [...files.keys()].filter((file) => path.posix.dirname(file) === target) : [found];
}

function crowded(files: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    counts.set(path.posix.dirname(file), (counts.get(path.posix.dirname(file)) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 25).map(([folder]) => folder);
}

function sources(): Map<string, string> {
  const files = new Map<string, string>();
  for (const top of ['src', 'webview']) {
    for (const entry of readdirSync(path.join(root, top), { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && /\.tsx?$/.test(entry.name)) {
        const file = path.join(entry.parentPath, entry.name);
        files.set(path.relative(root, file).split(path.sep).join('/'), readFileSync(file, 'utf8'));
      }
    }
  }
  return files;
}

describe('layers', () => {
  it('import only lower layers', () => {
    const files = sources();
    assert.ok(files.has('src/extension.ts') && files.has('webview/main.tsx'), 'the sources were not found');
    assert.deepEqual(violations(files), []);
  });

  it('have code without vscode below the workbench', () => {
    const files = sources();
    assert.deepEqual(movable(files), []);
    const planted = ['src/workbench/chat/planted.ts', `import type { Session } from '../../session/session';`] as const;
    assert.deepEqual(movable(files.set(...planted)), ['src/workbench/chat/planted.ts']);
  });

  it('contain no file that imports itself through others, types included', () => {
    assert.deepEqual(groups(fileTargets(sources())), []);
  });

  it('report a circle, also one of types alone', () => {
    const files = sources();
    files.set('src/core/planted/a.ts', `import type { B } from './b';`).set('src/core/planted/b.ts', `import type { C } from './c';`);
    assert.deepEqual(groups(fileTargets(files.set('src/core/planted/c.ts', `export type C = import('./a').A;`))), [
      ['src/core/planted/a.ts', 'src/core/planted/b.ts', 'src/core/planted/c.ts'],
    ]);
  });

  it('contain no folders that import each other in a circle, types included', () => {
    const files = sources();
    const circles = Object.values(folderCircles(files)).flat();
    assert.deepEqual(
      circles.flatMap((group) => edgesIn(files, group)),
      [],
    );
  });

  it('report a circle through a folder that is imported as a whole', () => {
    const files = new Map([
      ['src/fs/a.ts', `import all from 'folder:./planted';`],
      ['src/fs/planted/b.ts', `import '../a';`],
    ]);
    assert.deepEqual(groups(fileTargets(files)), [['src/fs/a.ts', 'src/fs/planted/b.ts']]);
  });

  it('report a circle of a folder and its subfolder, also through a third folder', () => {
    const files = new Map([
      ['src/fs/a.ts', `import './planted/b';`],
      ['src/fs/planted/b.ts', `import type { C } from '../other/c';`],
      ['src/fs/planted/c.ts', `import './b';`],
      ['src/fs/other/c.ts', `export type C = import('../a').A;`],
      ['src/fs/other/d.ts', `import '../../terminal/e';`],
      ['src/terminal/e.ts', `import '../fs/other/d';`],
    ]);
    const group = ['src/fs', 'src/fs/other', 'src/fs/planted'];
    assert.deepEqual(folderCircles(files), { fs: [group] });
    assert.deepEqual(edgesIn(files, group), [
      'src/fs/a.ts → src/fs/planted/b.ts',
      'src/fs/planted/b.ts → src/fs/other/c.ts',
      'src/fs/other/c.ts → src/fs/a.ts',
    ]);
  });

  it('keep framing, JSON-RPC, the choice of a version, the versions and the quirks apart', () => {
    const files = sources();
    assert.deepEqual(wireViolations(files), []);
    const planted = [
      ['src/acp/jsonrpc/planted.ts', '../transport/ndjson'],
      ['src/acp/jsonrpc/planted.ts', '../v1/v1'],
      ['src/acp/transport/planted.ts', '../jsonrpc/connection'],
      ['src/acp/v1/planted.ts', '../transport/ndjson'],
      ['src/acp/quirks/planted.ts', '../v1/config'],
      ['src/acp/connect.ts', './transport/ndjson'],
      ['src/acp/connect.ts', './v1/v1'],
      ['src/acp/replay/planted.ts', '../v1/content'],
    ] as const;
    for (const [file, target] of planted) {
      assert.deepEqual(wireViolations(new Map([[file, `import type { X } from '${target}';`]])), [
        `${file} → ${path.posix.join(path.posix.dirname(file), target)}`,
      ]);
    }
  });

  it('limit each folder to 25 files', () => {
    assert.deepEqual(crowded(sources().keys()), []);
    const many = Array.from({ length: 26 }, (_, index) => `src/fs/planted/${index}.ts`);
    assert.deepEqual(crowded(many), ['src/fs/planted']);
  });

  // Each case plants one import in a copy of the real tree and expects exactly that edge to be reported.
  const planted: [file: string, code: string, reported: RegExp][] = [
    ['src/core/planted.ts', `import path from 'node:path';`, /src\/core\/planted\.ts → node:path .*at run time/],
    ['src/core/planted.ts', `import { x } from '@agentclientprotocol/sdk';`, /→ @agentclientprotocol\/sdk .*at run time/],
    ['src/core/planted.ts', `import { type X } from '@agentclientprotocol/sdk';`, /→ @agentclientprotocol\/sdk .*at run time/],
    ['src/core/planted.ts', `import type { X } from '../util/x';`, /→ src\/util\/x .*a type/],
    ['src/core/planted.ts', `export const x = () => import('node:fs');`, /→ node:fs /],
    ['src/fs/planted.ts', `import type { X } from '../terminal/x';`, /→ src\/terminal\/x .*a type/],
    ['src/fs/planted.ts', `export type X = import('../acp/x').X;`, /→ src\/acp\/x .*a type/],
    ['src/fs/planted.ts', `export * from '../session/x';`, /→ src\/session\/x /],
    ['src/fs/planted.ts', `import * as vscode from 'vscode';`, /→ vscode .*at run time/],
    ['src/session/planted.ts', `export const x = require('vscode');`, /→ vscode .*at run time/],
    ['src/session/planted.ts', `import { x } from '../workbench/x';`, /→ src\/workbench\/x /],
    ['src/session/planted.ts', `import { x } from '../application/x';`, /→ src\/application\/x /],
    ['src/application/planted.ts', `import * as vscode from 'vscode';`, /→ vscode .*at run time/],
    ['src/application/planted.ts', `import type { X } from '../workbench/x';`, /→ src\/workbench\/x .*a type/],
    ['src/util/planted.ts', `import { x } from '../acp/x';`, /→ src\/acp\/x /],
    ['src/util/planted.ts', `import { x } from '../text/x';`, /→ src\/text\/x /],
    ['src/text/planted.ts', `import { x } from '../util/x';`, /→ src\/util\/x /],
    ['src/text/planted.ts', `import path from 'node:path';`, /→ node:path /],
    ['src/core/planted.ts', `import type { X } from '../text/x';`, /→ src\/text\/x .*a type/],
    ['src/demo/planted.ts', `import { x } from '../core/x';`, /→ src\/core\/x /],
    ['webview/planted.tsx', `import { x } from '../src/util/x';`, /→ src\/util\/x /],
    ['webview/planted.tsx', `import { readFileSync } from 'fs';`, /→ fs /],
    ['src/elsewhere/planted.ts', `export const x = 1;`, /belongs to no layer/],
  ];
  for (const [file, code, reported] of planted) {
    it(`report ${code} in ${path.posix.dirname(file)}`, () => {
      const files = sources();
      const before = violations(files);
      const after = violations(files.set(file, code)).filter((edge) => !before.includes(edge));
      assert.equal(after.length, 1);
      assert.match(after[0] ?? '', reported);
    });
  }

  it('allow permitted imports', () => {
    const allowed = new Map([
      ['src/core/planted.ts', `import type { X } from '@agentclientprotocol/sdk'; import { y } from './y';`],
      ['src/fs/planted.ts', `import type * as vscode from 'vscode'; import { x } from '../util/x'; import fs from 'node:fs';`],
      ['src/session/planted.ts', `import { x } from '../acp/x';`],
      ['src/workbench/planted.ts', `import * as vscode from 'vscode'; import { x } from '../session/x';`],
      ['webview/playground/planted.tsx', `import { reduce } from '../../src/core/reduce'; import { h } from 'preact';`],
    ]);
    assert.deepEqual(violations(allowed), []);
  });
});
