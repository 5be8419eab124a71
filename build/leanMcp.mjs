// Leaves out code of the MCP SDK and of zod that the host never runs: the checks of elicitations, and messages in fifty languages.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

/** @returns {import('esbuild').Plugin} */
export function leanMcp() {
  return {
    name: 'lean-mcp',
    setup(build) {
      // The SDK checks the answers to a server's questions with Ajv, which is 120 KB. Our server asks none: its tools ask through the session.
      build.onResolve({ filter: /^@modelcontextprotocol\/(?:server|client)\/_shims$/ }, ({ path: name }) => ({
        path: name,
        namespace: 'lean-mcp',
      }));
      build.onLoad({ filter: /.*/, namespace: 'lean-mcp' }, () => ({
        contents: `
          export { default as process } from 'node:process';
          export const CORS_IS_POSSIBLE = false;
          export class DefaultJsonSchemaValidator {
            getValidator() { throw new Error('There is no validator for JSON schemas.'); }
          }`,
        resolveDir: process.cwd(),
      }));
      // Keys of clients: the sign-in is that of a public client, with a bearer token.
      build.onResolve({ filter: /^jose$/ }, ({ path: name }) => ({ path: name, namespace: 'lean-mcp-jose' }));
      build.onLoad({ filter: /.*/, namespace: 'lean-mcp-jose' }, () => ({ contents: `throw new Error('There are no keys of clients.');` }));
      // The bundler keeps whatever is called or has a static block at the top level, so that all schemas and the whole client would stay.
      build.onLoad({ filter: /@modelcontextprotocol[\\/](?:client|core|server)[\\/]dist[\\/][^\\/]+\.mjs$/ }, async ({ path: file }) => ({
        contents: pure(await readFile(file, 'utf8')),
        resolveDir: path.dirname(file),
      }));
      // Models read English.
      build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path: file }) => ({
        contents: `export { default as en } from './en.js';`,
        resolveDir: path.dirname(file),
      }));
    },
  };
}

/**
 * Marks the values of all top-level constants as free of side effects, so that unused ones are left out. The SDK only makes schemas and classes there.
 * @param {string} source
 */
function pure(source) {
  const { statements } = ts.createSourceFile('sdk.mjs', source, ts.ScriptTarget.ESNext);
  const values = statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations.map(({ initializer }) => initializer))
    .filter((value) => value !== undefined && (ts.isCallExpression(value) || ts.isNewExpression(value) || ts.isClassExpression(value)));
  let [result, end] = ['', 0];
  for (const value of values) {
    if (!value) continue;
    result += `${source.slice(end, value.pos)} /* @__PURE__ */ (() => (${source.slice(value.pos, value.end)}))()`;
    end = value.end;
  }
  return result + source.slice(end);
}
