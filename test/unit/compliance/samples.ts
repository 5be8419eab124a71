/**
 * Messages generated from the schema: the smallest valid one that contains a certain member of a union, or a certain optional field. All texts and
 * numbers in a message are different, so that a test can check whether each of them arrived.
 */
import type { Node, Schema } from './schemaTree';
import { definitionOf, membersOf, nameOf } from './schemaTree';

/**
 * The choices that the schema leaves open: the index of a union's member by the name of its definition, and optional fields as `Definition.field`.
 */
export interface Choices {
  readonly members: Readonly<Record<string, number>>;
  readonly fields: readonly string[];
}

export const NO_CHOICES: Choices = { members: {}, fields: [] };

/** Values that a message must have to make sense, by the name of their field. */
const MEANINGFUL: Readonly<Record<string, unknown>> = { protocolVersion: 1, terminalId: 'term-1', url: 'https://example.com/sample' };

/** Members that a message must have to make sense: an id of this client is a number. */
const MEANT: Readonly<Record<string, number>> = { RequestId: 1 };

/** The smallest valid value of a definition that includes `choices`, or with `whole` the largest. Lists and maps contain one item. */
export function sampleOf(schema: Schema, definition: string, choices: Choices = NO_CHOICES, whole = false): unknown {
  let count = 1000;

  function build(node: Node, owner: string, key: string): unknown {
    if (key in MEANINGFUL) {
      return MEANINGFUL[key];
    }
    if (node.const !== undefined) {
      return node.const;
    }
    if (node.enum) {
      return node.enum[0];
    }
    if (node.items) {
      return [build(node.items, owner, key)];
    }
    const type = typeof node.type === 'string' ? node.type : node.type?.find((each) => each !== 'null');
    if (type === 'string') {
      return `${key}-${++count}`;
    }
    if (type === 'integer' || type === 'number') {
      return ++count;
    }
    if (type === 'boolean') {
      return true;
    }
    if (type === 'null') {
      return null;
    }
    const parts = partsOf(node, owner);
    // A definition that is a string or a number, or a union of those, has only this one part.
    const scalar = parts.find(({ part }) => part !== node && !part.properties && !part.allOf);
    if (scalar && parts.every(({ part }) => !part.properties)) {
      return build(scalar.part, scalar.owner, key);
    }
    const fields = parts.flatMap(({ part, owner: from }) =>
      Object.entries(part.properties ?? {})
        .filter(([name]) => whole || choices.fields.includes(`${from}.${name}`) || parts.some((each) => each.part.required?.includes(name)))
        .map(([name, field]): [string, unknown] => [name, build(field, from, name)]),
    );
    if (fields.length > 0 || parts.some(({ part }) => part.properties)) {
      return Object.fromEntries(fields);
    }
    const rest = node.additionalProperties;
    return { [`key-${++count}`]: typeof rest === 'object' ? build(rest, owner, key) : `${key}-${++count}` };
  }

  /** A node with everything that it refers to, including the chosen members of unions. Each is returned with the definition that contains it. */
  function partsOf(node: Node, owner: string): { part: Node; owner: string }[] {
    if (node.$ref !== undefined) {
      return partsOf(definitionOf(schema, node.$ref), nameOf(node.$ref));
    }
    const members = membersOf(node);
    const isUnion = members.length > 0 && schema.$defs[owner] === node;
    const member = members[isUnion ? (choices.members[owner] ?? MEANT[owner] ?? 0) : 0];
    return [
      { part: node, owner },
      ...(node.allOf ?? []).flatMap((part) => partsOf(part, owner)),
      ...(member ? partsOf(member, owner) : []),
    ];
  }

  return build({ $ref: `#/$defs/${definition}` }, definition, definition);
}
