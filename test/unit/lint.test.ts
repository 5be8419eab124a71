import assert from 'node:assert/strict';
import { lintPlanted, type Finding } from '../support/lint';

const ANY = `
async function slow(): Promise<number> { return 1; }
export function plant(value: any, take: (text: string) => void): string {
  slow();
  if (slow()) { take(value); }
  const kept = value;
  return value || kept;
}
`;

/** Code that breaks a rule in any folder, each in a file of its own. */
const ANYWHERE: readonly [rule: string, code: string][] = [
  ['no-array-constructor', 'export const a = new Array(1, 2);'],
  ['no-unused-expressions', 'export let a = 1; a === 2;'],
  ['no-unused-expressions', 'export let a = () => 1; a && a();'],
  ['no-unused-expressions', 'export let a = () => 1; a ? a() : 2;'],
  ['no-unused-vars', 'const a = 1; export {};'],
  ['no-unused-vars', 'export function f(a: number, b: number) { return a; }'],
  ['no-unused-vars', 'let a = 1; a = 2; export {};'],
  ['no-unused-vars', 'import { a } from "./a"; export {};'],
  ['no-unused-vars', 'type A = 1; export {};'],
  ['no-unused-vars', 'export function f() { try { return 1; } catch (error) { return 2; } }'],
  ['no-unused-vars', 'export const [a, b] = [1, 2]; const [c, d] = [1, 2]; export { d };'],
  ['no-unused-vars', 'function f(): void { f(); } export {};'],
  ['no-var', 'export var a = 1;'],
  ['prefer-const', 'let a = 1; export { a };'],
  ['prefer-const', 'let [a, b] = [1, 2]; b = 2; export { a, b };'],
  ['prefer-rest-params', 'export function f() { return arguments; }'],
  ['prefer-spread', 'export const f = (g: (...a: number[]) => void, a: [number]) => { g.apply(undefined, a); };'],
  ['ban-ts-comment', '// @ts-ignore\nexport {};'],
  ['ban-ts-comment', '// @ts-expect-error\nexport {};'],
  ['ban-ts-comment', '// @ts-nocheck\nexport {};'],
  ['no-duplicate-enum-values', 'export enum A { a = 1, b = 1 }'],
  ['no-empty-object-type', 'export type A = {};'],
  ['no-empty-object-type', 'export interface A {}'],
  ['no-explicit-any', 'export type A = any;'],
  ['no-extra-non-null-assertion', 'export const f = (a?: { b: 1 }) => a!!.b;'],
  ['no-misused-new', 'export interface A { constructor(): void; }'],
  ['no-namespace', 'export namespace A { export const a = 1; }'],
  ['no-non-null-asserted-optional-chain', 'export const f = (a?: { b: 1 }) => (a?.b)!;'],
  ['no-require-imports', 'export const a = require("a");'],
  ['no-require-imports', 'import a = require("a"); export { a };'],
  ['no-this-alias', 'export class A { a() { const b = this; return () => b; } }'],
  ['no-unnecessary-type-constraint', 'export type A<T extends unknown> = T;'],
  ['no-unsafe-declaration-merging', 'export interface A { a: 1 } export class A {}'],
  ['no-unsafe-function-type', 'export type A = Function;'],
  ['no-wrapper-object-types', 'export type A = String;'],
  ['prefer-as-const', "export const a = 'a' as 'a';"],
  ['prefer-namespace-keyword', 'export declare module A { const a: 1; }'],
  ['triple-slash-reference', '/// <reference path="a" />\nexport {};'],
  ['consistent-type-imports', 'import { A } from "./a"; export type B = A;'],
  ['no-import-type-side-effects', 'import { type A } from "./a"; export type B = A;'],
  ['eqeqeq', 'export const f = (a: unknown) => a == 1;'],
  ['eqeqeq', 'export const f = (a: unknown) => a != null;'],
  ['curly', 'export const f = (a: boolean) => { if (a) return 1; return 2; };'],
  ['curly', 'export const f = (a: boolean) => { for (;;) a = !a; };'],
  ['no-restricted-syntax', 'export class A { #a = 1; b() { return this.#a; } }'],
];

/** Code that breaks a rule in some folders only, and code that is allowed there. */
const BY_PLACE: readonly [file: string, rule: string | undefined, code: string][] = [
  ['test/unit/require.ts', undefined, 'export const a = require("a");'],
  ['src/text/node.ts', 'no-restricted-imports', 'import { a } from "node:fs"; export { a };'],
  ['src/text/library.ts', 'no-restricted-imports', 'import { a } from "markedly"; export { a };'],
  ['src/text/marked.ts', undefined, 'import { a } from "marked"; export { a };'],
  ['src/text/util.ts', 'no-restricted-imports', 'import { a } from "../../util/a"; export { a };'],
  ['src/util/up.ts', 'no-restricted-imports', 'export { a } from "../text/a";'],
  ['src/util/core.ts', undefined, 'export { a } from "../core/a";'],
  ['src/core/library.ts', 'no-restricted-imports', 'import { a } from "diff"; export { a };'],
  ['src/core/type.ts', undefined, 'import type { A } from "diff"; export type B = A;'],
  ['src/core/up.ts', 'no-restricted-imports', 'import type { A } from "../util/a"; export type B = A;'],
  ['src/core/model/mcp.ts', undefined, 'import type { A } from "../mcp/a"; export type B = A;'],
  ['src/core/model/service.ts', 'no-restricted-imports', 'import type { A } from "../../mcp/a"; export type B = A;'],
  ['src/core/all.ts', 'no-restricted-imports', 'export * from "../../util/a";'],
  ['src/core/now.ts', 'no-restricted-properties', 'export const a = Date.now();'],
  ['src/core/random.ts', 'no-restricted-properties', 'export const a = Math.random();'],
  ['src/core/date.ts', 'no-restricted-syntax', 'export const a = new Date();'],
  ['src/core/dated.ts', undefined, 'export const a = new Date(1);'],
  ['src/core/hash.ts', 'no-restricted-syntax', 'export class A { #a = 1; b() { return this.#a; } }'],
  ['src/fs/deep/other.ts', 'no-restricted-imports', 'import type { A } from "../../acp/a"; export type B = A;'],
  ['src/fs/deep/own.ts', undefined, 'import type { A } from "../a"; export type B = A;'],
  ['src/fs/vscode.ts', 'no-restricted-imports', 'import * as vscode from "vscode"; export const a = vscode.version;'],
  ['src/fs/vscodeType.ts', undefined, 'import type * as vscode from "vscode"; export type A = vscode.Uri;'],
  ['src/session/up.ts', 'no-restricted-imports', 'import { a } from "../workbench/a"; export { a };'],
  ['src/session/down.ts', undefined, 'import { a } from "../acp/a"; export { a };'],
  ['src/workbench/up.ts', 'no-restricted-imports', 'import { a } from "../extension"; export { a };'],
  ['src/workbench/hash.ts', 'no-restricted-syntax', 'export class A { #a = 1; b() { return this.#a; } }'],
  ['src/demo/core.ts', 'no-restricted-imports', 'import { a } from "../core/a"; export { a };'],
  ['src/view.ts', 'no-restricted-imports', 'import { a } from "../webview/a"; export { a };'],
  ['webview/deep/node.ts', 'no-restricted-imports', 'import { a } from "node:fs"; export { a };'],
  ['webview/deep/session.tsx', 'no-restricted-imports', 'import type { A } from "../../src/session/a"; export type B = A;'],
  ['webview/deep/core.tsx', undefined, 'import { a } from "../../src/core/a"; export { a };'],
  ['webview/html.tsx', 'no-restricted-syntax', 'export const a = <p dangerouslySetInnerHTML={{ __html: "" }} />;'],
  ['webview/inner.ts', 'no-restricted-syntax', 'export const a = (e: Element) => { e.innerHTML = ""; };'],
  ['webview/hash.ts', 'no-restricted-syntax', 'export class A { #a = 1; b() { return this.#a; } }'],
];

describe('the linter', () => {
  let findings: Finding[];
  let failed: boolean;
  const of = (file: string) => findings.filter((finding) => finding.file === file);
  const planted = (index: number) => `src/fs/planted${index}.ts`;

  before(async () => {
    const anywhere = ANYWHERE.map(([, code], index) => [planted(index), code] as const);
    const places = ['src/workbench', 'src/core'].map((place) => [`${place}/any.ts`, ANY] as const);
    ({ findings, failed } = await lintPlanted(
      Object.fromEntries([...anywhere, ...BY_PLACE.map(([file, , code]) => [file, code] as const), ...places]),
    ));
  });

  it('enables the type-aware rules, and those about `any` where text is shown', () => {
    const found = findings.filter(({ file, rule }) => file.endsWith('/any.ts') && rule !== 'no-explicit-any');
    assert.deepEqual(found.map(({ file, line, rule }) => `${file}:${line} ${rule}`).sort(), [
      'src/core/any.ts:4 no-floating-promises',
      'src/core/any.ts:5 no-misused-promises',
      'src/workbench/any.ts:4 no-floating-promises',
      'src/workbench/any.ts:5 no-misused-promises',
      'src/workbench/any.ts:5 no-unsafe-argument',
      'src/workbench/any.ts:6 no-unsafe-assignment',
      'src/workbench/any.ts:7 no-unsafe-return',
    ]);
    assert.equal(failed, true);
  });

  ANYWHERE.forEach(([rule, code], index) => {
    it(`refuses ${code}`, () =>
      assert.ok(
        of(planted(index)).some((finding) => finding.rule === rule),
        JSON.stringify(of(planted(index))),
      ));
  });

  for (const [file, rule, code] of BY_PLACE) {
    it(`${rule ? 'refuses' : 'allows'} in ${file} ${code}`, () =>
      assert.deepEqual([...new Set(of(file).map((finding) => finding.rule))], rule ? [rule] : []));
  }
});
