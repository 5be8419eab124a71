/** Finds where each definition of the schema can occur in an agent's messages, and gives one sample for every member and every field there. */
import type { Choices } from './samples';
import { NO_CHOICES } from './samples';
import type { Node, Schema } from './schemaTree';
import { membersOf, nameOf, variantName } from './schemaTree';

/** A message that an agent can send: the definition of its parameters or of its result, and the method that these belong to. */
export interface Root {
  readonly definition: string;
  readonly method: string;
  readonly kind: 'notification' | 'request' | 'result';
}

/** One test case. `choices` make the sample of `root` that contains the member or field. */
export interface Case {
  readonly root: Root;
  /** The area or definition under test: `ToolKind`, `ToolCall`. */
  readonly definition: string;
  /** The member, or the field with a dot before it. */
  readonly name: string;
  readonly choices: Choices;
}

/** Every message that an agent may send: its requests, its notifications, its answers. */
export function rootsOf(schema: Schema): Root[] {
  const notifications = titlesIn(schema, 'AgentNotification');
  return Object.entries(schema.$defs).flatMap(([definition, node]): Root[] => {
    const method = node['x-method'];
    const isResult = definition.endsWith('Response');
    if (method === undefined || node['x-side'] === 'protocol' || (node['x-side'] === 'agent') !== isResult) {
      return [];
    }
    return [{ definition, method, kind: isResult ? 'result' : notifications.has(definition) ? 'notification' : 'request' }];
  });
}

function titlesIn(schema: Schema, definition: string): Set<string> {
  const found = new Set<string>();
  JSON.stringify(schema.$defs[definition], (_, value: Node | null) => {
    if (typeof value?.title === 'string') {
      found.add(value.title);
    }
    return value;
  });
  return found;
}

/**
 * Every member of every union and every field of every object, in each message that can contain it. Inside `session/update` each kind of update
 * counts as a separate message.
 */
export function casesOf(schema: Schema): Case[] {
  return rootsOf(schema).flatMap((root) =>
    startsOf(schema, root).flatMap((start) =>
      [...reachable(schema, root.definition, start)].flatMap(([definition, choices]) => [
        ...membersOf(schema.$defs[definition]!).flatMap((member, index) => {
          if ((start.members[definition] ?? index) !== index) {
            return [];
          }
          const members = { ...choices.members, [definition]: index };
          return [{ root, definition, name: variantName(member, index), choices: { ...choices, members } }];
        }),
        ...ownFields(schema, definition, choices).map((field) => {
          const fields = [...choices.fields, `${definition}.${field}`];
          return { root, definition, name: `.${field}`, choices: { ...choices, fields } };
        }),
      ]),
    ),
  );
}

function startsOf(schema: Schema, root: Root): Choices[] {
  if (root.method !== 'session/update') {
    return [NO_CHOICES];
  }
  return membersOf(schema.$defs.SessionUpdate!).map((_, index) => ({ ...NO_CHOICES, members: { SessionUpdate: index } }));
}

/** The definitions in a message, each with the choices that include it. The shortest path is kept. */
function reachable(schema: Schema, root: string, start: Choices): Map<string, Choices> {
  const found = new Map<string, Choices>([[root, start]]);
  for (const [definition, choices] of found) {
    for (const [next, way] of stepsFrom(schema, schema.$defs[definition]!, definition, choices)) {
      if (!found.has(next)) {
        found.set(next, way);
      }
    }
  }
  return found;
}

function stepsFrom(schema: Schema, node: Node, owner: string, choices: Choices): [string, Choices][] {
  if (node.$ref !== undefined) {
    return [[nameOf(node.$ref), choices]];
  }
  const steps: [string, Choices][] = (node.allOf ?? []).flatMap((part) => stepsFrom(schema, part, owner, choices));
  for (const [name, field] of Object.entries(node.properties ?? {})) {
    steps.push(...stepsFrom(schema, field, owner, { ...choices, fields: [...choices.fields, `${owner}.${name}`] }));
  }
  if (node.items) {
    steps.push(...stepsFrom(schema, node.items, owner, choices));
  }
  if (typeof node.additionalProperties === 'object') {
    steps.push(...stepsFrom(schema, node.additionalProperties, owner, choices));
  }
  const pinned = choices.members[owner];
  membersOf(node).forEach((member, index) => {
    const isUnion = schema.$defs[owner] === node;
    if (!isUnion && index > 0) {
      return;
    } // A sample takes the first member.
    if (isUnion && (pinned ?? index) !== index) {
      return;
    }
    if (member.not) {
      return;
    } // The member for future additions: no present field is tested in it.
    steps.push(...stepsFrom(schema, member, owner, isUnion ? { ...choices, members: { ...choices.members, [owner]: index } } : choices));
  });
  return steps;
}

/** Fields of the definition itself and of the member of its union that `choices` select. */
function ownFields(schema: Schema, definition: string, choices: Choices): string[] {
  const node = schema.$defs[definition]!;
  const member = membersOf(node)[choices.members[definition] ?? 0];
  return Object.keys({ ...node.properties, ...member?.properties });
}
