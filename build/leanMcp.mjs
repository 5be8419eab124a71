// Leaves out code of the MCP SDK and of zod that the host never runs: the checks of elicitations, and messages in fifty languages.
import path from 'node:path';

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
      // Models read English.
      build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path: file }) => ({
        contents: `export { default as en } from './en.js';`,
        resolveDir: path.dirname(file),
      }));
    },
  };
}
