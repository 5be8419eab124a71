/** The refusals that one click may allow. Pure. */
import type { SandboxRefusal } from './sandbox';

/** Folders of the system, in which a whole folder is too much to allow. */
const SYSTEM = /^\/(?:etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|run|var|opt|srv|root|home|Users|System|Library|Applications|private)?$/;

/** False for reads of protected places, and for folders that are too large. The user can still name them in the settings. */
export function isAllowable({ kind, target }: SandboxRefusal): boolean {
  if (kind !== 'write') {
    return kind === 'host';
  }
  const folder = target.slice(0, Math.max(0, target.lastIndexOf('/')));
  return !SYSTEM.test(folder === '' ? '/' : folder) && !/^\/(?:etc|usr|boot|proc|sys|dev|bin|sbin)\//.test(folder);
}
