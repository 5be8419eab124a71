/**
 * Data of the answer to `initialize` (protocol page "Initialization") that the model does not contain, kept for the journal. A part with unknown
 * fields, or of the wrong type, is kept whole.
 */
import type { Fields } from '../json/fields';
import { isPresent, isRecord, keep, restOf } from '../json/fields';
import { decodeAuthMethods } from './handshake';

/** The known value of a key: a flag, a string, an object without known fields, or one with these fields. */
type Shape = 'boolean' | 'string' | { readonly [key: string]: Shape };

const AGENT: Shape = { name: 'string', title: 'string', version: 'string' };

const CAPABILITIES: Shape = {
  loadSession: 'boolean',
  promptCapabilities: { image: 'boolean', audio: 'boolean', embeddedContext: 'boolean' },
  sessionCapabilities: { list: {}, status: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
  rewindSession: { supported: 'boolean', supportsEditPrompt: 'boolean' },
  auth: { logout: {} },
};

const VARIABLE: Shape = { name: 'string', label: 'string', secret: 'boolean', optional: 'boolean' };

/** Other fields of a method are kept with it. */
const METHOD: Shape = { id: 'string', name: 'string', description: 'string', type: 'string', link: 'string' };

const KNOWN: ReadonlySet<string> = new Set(['protocolVersion', 'agentInfo', 'agentCapabilities', 'authMethods', '_meta']);

export interface InitializeExtras {
  readonly meta?: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export function initializeExtrasOf(answer: Fields): InitializeExtras {
  let extra = restOf(answer, KNOWN);
  for (const [key, shape] of [
    ['agentInfo', AGENT],
    ['agentCapabilities', CAPABILITIES],
  ] as const) {
    if (!isRead(answer[key], shape)) {
      extra = keep(extra, key, answer[key]);
    }
  }
  if (isPresent(answer.authMethods) && !(Array.isArray(answer.authMethods) && answer.authMethods.every(isReadMethod))) {
    extra = keep(extra, 'authMethods', answer.authMethods);
  }
  return { ...(isPresent(answer._meta) && { meta: answer._meta }), ...(extra && { extra }) };
}

/** True when the model reads all of the value. Null counts as absent. */
function isRead(value: unknown, shape: Shape): boolean {
  if (!isPresent(value)) {
    return true;
  }
  if (typeof shape === 'string') {
    return typeof value === shape;
  }
  return isRecord(value) && Object.entries(value).every(([key, inner]) => Object.hasOwn(shape, key) && isRead(inner, shape[key]!));
}

function isReadMethod(raw: unknown): boolean {
  if (!isRecord(raw) || typeof raw.id !== 'string') {
    return false;
  }
  const { args, env, vars } = raw;
  const plain = Object.keys(METHOD).every((key) => !isPresent(raw[key]) || typeof raw[key] === 'string');
  const isTexts = (values: unknown): boolean => Array.isArray(values) && values.every((value) => typeof value === 'string');
  const isForTerminal = raw.type === 'terminal' || (!isPresent(args) && !isPresent(env));
  const isWhole = (!isPresent(args) || isTexts(args)) && (!isPresent(env) || (isRecord(env) && isTexts(Object.values(env))));
  const isAsking =
    !isPresent(vars) || (raw.type === 'env_var' && Array.isArray(vars) && vars.every((variable) => isRead(variable, VARIABLE)));
  return (
    plain &&
    isForTerminal &&
    isWhole &&
    isAsking &&
    decodeAuthMethods([raw])[0]?.vars?.length === (isPresent(vars) ? (vars as unknown[]).length : undefined)
  );
}
