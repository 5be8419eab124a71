/** The parts of `initialize`'s answer (protocol pages "Initialization" and "Authentication"). */
import type { AgentInfo, AuthMethod, PromptCapabilities } from '../core/content';
import { isRecord, textOf, withRest } from './fields';

const AUTH_FIELDS: ReadonlySet<string> = new Set(['id', 'methodId', 'name', 'description', 'type']);

export function decodeAgent(raw: unknown): AgentInfo | undefined {
  if (!isRecord(raw)) {
    return undefined;
  }
  const [name, title, version] = [textOf(raw.name), textOf(raw.title), textOf(raw.version)];
  return { ...(name !== undefined && { name }), ...(title !== undefined && { title }), ...(version !== undefined && { version }) };
}

export function decodePromptCapabilities(raw: unknown): PromptCapabilities {
  const offered = isRecord(raw) ? raw : {};
  return { image: offered.image === true, audio: offered.audio === true, embeddedContext: offered.embeddedContext === true };
}

/** An entry without an id cannot be chosen and is left out. What a type adds (`args`, `env`, `vars`) stays on its method. */
export function decodeAuthMethods(raw: unknown): AuthMethod[] {
  const methods: AuthMethod[] = [];
  for (const item of Array.isArray(raw) ? raw : []) {
    if (isRecord(item) && typeof item.id === 'string') {
      const description = textOf(item.description);
      const method = {
        methodId: item.id,
        name: textOf(item.name) ?? item.id,
        ...(description !== undefined && { description }),
        type: textOf(item.type) ?? 'agent',
      };
      methods.push(withRest(method, item, AUTH_FIELDS));
    }
  }
  return methods;
}
