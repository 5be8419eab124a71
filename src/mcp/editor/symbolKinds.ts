/** The names of LSP's symbol kinds, from 1. */
const NAMES = [
  'file',
  'module',
  'namespace',
  'package',
  'class',
  'method',
  'property',
  'field',
  'constructor',
  'enum',
  'interface',
  'function',
  'variable',
  'constant',
  'string',
  'number',
  'boolean',
  'array',
  'object',
  'key',
  'null',
  'enum member',
  'struct',
  'event',
  'operator',
  'type parameter',
];

export function symbolKind(kind: number): string {
  return NAMES[kind - 1] ?? 'symbol';
}
