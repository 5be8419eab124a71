/** Parses the official schema as a tree, and identifies everything in it that a client can support or not. */
import { officialSchema } from '../../support/schema';

/** One node of a JSON schema, with the keywords that ACP's schema uses. */
export interface Node {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly additionalProperties?: boolean | Node;
  readonly allOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly anyOf?: readonly Node[];
  readonly not?: Node;
  readonly 'x-method'?: string;
  readonly 'x-side'?: string;
}

export interface Schema {
  readonly $defs: Readonly<Record<string, Node>>;
}

export const SCHEMA = officialSchema as Schema;

/** `area`: the kind of item, as in {@link identitiesOf}. `name`: its name within the area. */
export interface Identity {
  readonly area: string;
  readonly name: string;
}

/**
 * Everything in `schema` that a newer one can extend: methods of each side, every member of every union and enumeration, and every capability. The
 * areas are `agent method`, `client method`, `protocol method`, `ClientCapabilities`, `AgentCapabilities` (by path), and otherwise the name of the
 * definition.
 */
export function identitiesOf(schema: Schema): Identity[] {
  const identities: Identity[] = [];
  for (const [name, definition] of Object.entries(schema.$defs)) {
    const method = definition['x-method'];
    const area = `${definition['x-side']} method`;
    if (method !== undefined && !identities.some((known) => known.area === area && known.name === method)) {
      identities.push({ area, name: method });
    }
    for (const [union, node] of unionsIn(schema, name)) {
      identities.push(...membersOf(node).map((member, index) => ({ area: union, name: variantName(member, index) })));
    }
  }
  for (const area of ['ClientCapabilities', 'AgentCapabilities']) {
    identities.push(...pathsOf(schema, { $ref: `#/$defs/${area}` }).map((name) => ({ area, name })));
  }
  return identities;
}

/** The members of a union, without `null`. Values of an `enum` are members too. */
export function membersOf(node: Node): readonly Node[] {
  const members: readonly Node[] = node.oneOf ?? node.anyOf ?? node.enum?.map((value) => ({ const: value })) ?? [];
  return members.filter((member) => member.type !== 'null' || member.title !== undefined);
}

/** The name of a union's member: its constant, the constant of the field that discriminates the members, or its title. */
export function variantName(member: Node, index: number): string {
  const constant = [member.const, ...Object.values(member.properties ?? {}).map((property) => property.const)].find(
    (value) => value !== undefined,
  );
  return constant === undefined ? (member.title ?? `#${index}`) : String(constant);
}

/** The unions of a definition: its own under its name, and those of its fields under `Definition.field`. */
function unionsIn(schema: Schema, name: string): [string, Node][] {
  const definition = schema.$defs[name]!;
  const fields = Object.entries(definition.properties ?? {}).map(([field, node]): [string, Node] => [`${name}.${field}`, node]);
  return [[name, definition] as [string, Node], ...fields]
    .filter(([, node]) => membersOf(node).length > 1 && !isRouting(schema, node))
    .concat(
      // A single member is a union that can get a second one.
      membersOf(definition).length === 1 ? [[name, definition]] : [],
    );
}

/** True for the lists of all requests and of all results, which only repeat the methods. */
function isRouting(schema: Schema, node: Node): boolean {
  return membersOf(node).some(
    (member) =>
      'x-method' in (schema.$defs[member.title ?? ''] ?? {}) ||
      membersOf(member).some((inner) => inner.title !== undefined && inner.title in schema.$defs),
  );
}

/** Dotted paths of all capabilities in an object, including the objects themselves. */
function pathsOf(schema: Schema, node: Node, prefix = ''): string[] {
  return Object.entries(fieldsOf(schema, node)).flatMap(([name, field]) =>
    name === '_meta' ? [] : [prefix + name, ...pathsOf(schema, field, `${prefix}${name}.`)],
  );
}

function fieldsOf(schema: Schema, node: Node): Record<string, Node> {
  const parts = [...(node.allOf ?? []), ...(node.anyOf ?? [])].map((part) => fieldsOf(schema, part));
  return Object.assign(
    {},
    node.$ref === undefined ? {} : fieldsOf(schema, definitionOf(schema, node.$ref)),
    node.properties,
    ...parts,
  ) as Record<string, Node>;
}

export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

export function definitionOf(schema: Schema, ref: string): Node {
  const definition = schema.$defs[nameOf(ref)];
  if (!definition) {
    throw new Error(`the schema has no ${ref}`);
  }
  return definition;
}
