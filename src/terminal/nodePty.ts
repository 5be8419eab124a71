/** Loads node-pty for the platform. */
import type { LoadPty } from './pty';

/** Loads node-pty. On Windows through its public API, elsewhere through its native part; see `unixPty.ts` for the reason. */
export const loadNodePty: LoadPty = async () => {
  const { createRequire } = await import('node:module');
  // The bundle does not include node-pty; `require` finds it from here.
  const load = createRequire(__filename);
  if (process.platform === 'win32') {
    const { windowsPty } = await import('./windowsPty');
    return windowsPty(load('node-pty') as typeof import('node-pty'));
  }
  const { unixPty } = await import('./unixPty');
  return unixPty(load);
};
