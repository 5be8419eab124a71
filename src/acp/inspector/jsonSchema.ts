/** Compares a value with a JSON schema, for people: it reports the place and the kind of each difference. Covers what the protocol's schema uses. */
import { isRecord } from '../json/fields';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly 'x-method'?: string;
  readonly 'x-side'?: string;
}

export interface SchemaProblem {
  /** Such as `params.content[0].type`. */
  readonly path: string;
  /** `unknown`: a member that the schema does not have. `variant`: no alternative fits. */
  readonly kind: 'missing' | 'type' | 'value' | 'range' | 'variant' | 'unknown';
  /** The types or values that the schema names. */
  readonly expected?: string;
}

/** The most problems of one message. */
const MAX_PROBLEMS = 100;
/** Values that are nested deeper are not compared. */
const MAX_DEPTH = 64;
/** The most comparisons of one message. Alternatives in alternatives are compared repeatedly. */
const MAX_STEPS = 200_000;
/** The most named values in one problem. */
const MAX_NAMED = 12;

export class SchemaCheck {
  private steps = 0;

  constructor(private readonly definitions: Readonly<Record<string, Schema>>) {}

  /** @param path of the value */
  problems(value: unknown, schema: Schema, path: string): readonly SchemaProblem[] {
    this.steps = 0;
    const known = new Map<string, Set<string>>();
    const found = this.check(value, schema, path, 0, known);
    const unknown = this.unknownMembers(value, path, known, 0);
    return [...found, ...unknown].slice(0, MAX_PROBLEMS);
  }

  /** @param known collects the members that the schema names, by the path of their object */
  private check(value: unknown, schema: Schema, path: string, depth: number, known: Map<string, Set<string>>): SchemaProblem[] {
    if (depth > MAX_DEPTH || ++this.steps > MAX_STEPS) {
      return [];
    }
    const { type, properties, required, additionalProperties, items, allOf = [], oneOf, anyOf } = schema;
    if (type !== undefined && !types(type).some((each) => isOfType(value, each))) {
      return [{ path, kind: 'type', expected: types(type).join(', ') }];
    }
    const found = scalarProblems(value, schema, path);
    const nested = (inner: Schema): SchemaProblem[] => this.check(value, inner, path, depth + 1, known);
    const referred = this.resolve(schema);
    if (referred) {
      found.push(...nested(referred));
    }
    allOf.forEach((each) => found.push(...nested(each)));
    for (const alternatives of [oneOf, anyOf]) {
      if (alternatives) {
        found.push(...this.alternative(value, alternatives, path, depth, known));
      }
    }
    if (schema.not && this.check(value, schema.not, path, depth + 1, new Map()).length === 0) {
      found.push({ path, kind: 'variant' });
    }
    if (isRecord(value)) {
      for (const name of required ?? []) {
        if (value[name] === undefined) {
          found.push({ path: member(path, name), kind: 'missing' });
        }
      }
      for (const [name, each] of Object.entries(properties ?? {})) {
        note(known, path, name);
        if (value[name] !== undefined) {
          found.push(...this.check(value[name], each, member(path, name), depth + 1, known));
        }
      }
      if (additionalProperties === true || isRecord(additionalProperties)) {
        for (const [name, each] of Object.entries(value)) {
          note(known, path, name);
          if (isRecord(additionalProperties) && !Object.hasOwn(properties ?? {}, name)) {
            found.push(...this.check(each, additionalProperties as Schema, member(path, name), depth + 1, known));
          }
        }
      }
    } else if (Array.isArray(value) && items) {
      value.forEach((each, index) => found.push(...this.check(each, items, `${path}[${index}]`, depth + 1, known)));
    }
    return found.slice(0, MAX_PROBLEMS);
  }

  /** The problems with the alternative that fits best: the one whose constant the value has, or with the fewest problems. */
  private alternative(value: unknown, alternatives: readonly Schema[], path: string, depth: number, known: Map<string, Set<string>>) {
    let best: { problems: SchemaProblem[]; known: Map<string, Set<string>>; rank: number } | undefined;
    const constants: { readonly name: string; readonly value: unknown }[] = [];
    for (const schema of alternatives) {
      const own = new Map<string, Set<string>>();
      const problems = this.check(value, schema, path, depth + 1, own);
      const constant = this.constantOf(schema, 0);
      if (constant) {
        constants.push(constant);
      }
      const isMeant = constant && isRecord(value) && value[constant.name] === constant.value;
      const isOtherType = problems.some((problem) => problem.path === path && problem.kind === 'type');
      const rank = problems.length === 0 ? -1 : isMeant ? 0 : isOtherType ? 10_000 : problems.length;
      if (!best || rank < best.rank) {
        best = { problems, known: own, rank };
      }
      if (problems.length === 0) {
        break;
      }
    }
    const values = alternatives.flatMap((schema) => (schema.const === undefined ? [] : [schema.const]));
    if (best && best.rank > 0 && values.length > 0 && !isRecord(value)) {
      return [{ path, kind: 'value' as const, expected: list(values.map(String)) }];
    }
    best?.known.forEach((names, at) => names.forEach((name) => note(known, at, name)));
    const [first] = constants;
    if (best && best.rank > 0 && first && isRecord(value)) {
      const names = constants.filter(({ name }) => name === first.name).map((constant) => String(constant.value));
      return [{ path: member(path, first.name), kind: 'variant' as const, expected: list(names) }];
    }
    return best?.problems ?? [];
  }

  /** The member with a constant by which an alternative is recognized. */
  private constantOf(schema: Schema, depth: number): { readonly name: string; readonly value: unknown } | undefined {
    const [name, property] = Object.entries(schema.properties ?? {}).find(([, each]) => each.const !== undefined) ?? [];
    if (name !== undefined && property) {
      return { name, value: property.const };
    }
    const referred = this.resolve(schema);
    return referred && depth < 3 ? this.constantOf(referred, depth + 1) : undefined;
  }

  /** Members of objects whose schema is known and has no such member. `_meta` may be anywhere. */
  private unknownMembers(value: unknown, path: string, known: ReadonlyMap<string, Set<string>>, depth: number): SchemaProblem[] {
    if (depth > MAX_DEPTH) {
      return [];
    }
    if (Array.isArray(value)) {
      return value.flatMap((each, index) => this.unknownMembers(each, `${path}[${index}]`, known, depth + 1));
    }
    if (!isRecord(value)) {
      return [];
    }
    const names = known.get(path);
    return Object.entries(value).flatMap(([name, each]): SchemaProblem[] => {
      if (name === '_meta' || !names) {
        return [];
      }
      const at = member(path, name);
      return names.has(name) ? this.unknownMembers(each, at, known, depth + 1) : [{ path: at, kind: 'unknown' }];
    });
  }

  private resolve({ $ref }: Schema): Schema | undefined {
    const name = $ref?.replace('#/$defs/', '');
    return name !== undefined && Object.hasOwn(this.definitions, name) ? this.definitions[name] : undefined;
  }
}

function scalarProblems(value: unknown, schema: Schema, path: string): SchemaProblem[] {
  if (schema.const !== undefined && value !== schema.const) {
    return [{ path, kind: 'value', expected: JSON.stringify(schema.const) }];
  }
  if (schema.enum && !schema.enum.includes(value)) {
    return [{ path, kind: 'value', expected: list(schema.enum.map(String)) }];
  }
  const { minimum, maximum, minLength, minItems } = schema;
  const isOut =
    (typeof value === 'number' && ((minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum))) ||
    (typeof value === 'string' && minLength !== undefined && value.length < minLength) ||
    (Array.isArray(value) && minItems !== undefined && value.length < minItems);
  return isOut ? [{ path, kind: 'range' }] : [];
}

function list(names: readonly string[]): string {
  return names.length > MAX_NAMED ? `${names.slice(0, MAX_NAMED).join(', ')}, …` : names.join(', ');
}

function types(type: string | readonly string[]): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function member(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function note(known: Map<string, Set<string>>, path: string, name: string): void {
  const names = known.get(path);
  if (names) {
    names.add(name);
  } else {
    known.set(path, new Set([name]));
  }
}
