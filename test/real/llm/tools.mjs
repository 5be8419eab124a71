// One action, many tools: every agent names its tools and their arguments differently. A script's `edit` is looked up by name, and its
// arguments get the names in the tool's own schema.

/** The tools for each action, best first; the last ones do it by a shell command. */
const byKind = {
  write: ['Write', 'write', 'write_file', 'create', 'create_file', 'apply_patch', 'shell_command', 'exec_command', 'exec', 'bash', 'shell'],
  edit: [
    'Edit',
    'edit',
    'replace',
    'str_replace',
    'str_replace_editor',
    'edit_file',
    'apply_patch',
    'exec',
    'shell_command',
    'exec_command',
    'shell',
  ],
  read: ['Read', 'read', 'read_file', 'view', 'exec', 'shell_command', 'exec_command', 'shell'],
  shell: ['Bash', 'bash', 'run_shell_command', 'exec_command', 'shell_command', 'shell', 'local_shell', 'exec'],
  plan: ['TodoWrite', 'todowrite', 'write_todos', 'todo_write', 'update_plan'],
};

const fields = {
  path: ['file_path', 'filepath', 'path', 'absolute_path', 'filename', 'file'],
  content: ['content', 'contents', 'file_text', 'file_content', 'text'],
  old: ['old_string', 'oldstring', 'old_str', 'oldtext', 'old_text'],
  new: ['new_string', 'newstring', 'new_str', 'newtext', 'new_text'],
  plan: ['todos', 'plan', 'items', 'tasks'],
  remark: ['description', 'instruction', 'justification', 'summary', 'explanation'],
};

/** The tool for an action; undefined when none of the offered ones can do it. */
export function toolFor(kind, tools) {
  const names = byKind[kind] ?? [kind];
  for (const name of names) {
    const tool = tools.find((each) => each.name === name);
    if (tool) return tool;
  }
  return undefined;
}

/** The arguments of a call: `args` has `path`, `content`, `old`, `new`, `command` or `items`, depending on the action. */
export function argumentsFor(kind, tool, args) {
  if (!byKind[kind]) return args;
  if (tool.name === 'apply_patch') return { input: patch(kind, args), patch: patch(kind, args) };
  if (tool.name === 'exec' && tool.custom) return { input: asProgram(kind, args) };
  const filled = {};
  const required = new Set(tool.schema?.required ?? []);
  for (const [field, schema] of Object.entries(tool.schema?.properties ?? {})) {
    const value = argument(kind, tool, field.toLowerCase(), schema, args);
    if (value !== undefined) filled[field] = value;
    else if (required.has(field)) filled[field] = someValue(schema);
  }
  return filled;
}

function argument(kind, tool, field, schema, args) {
  const type = typeOf(schema);
  if (byKind.shell.includes(tool.name) && (field === 'command' || field === 'cmd')) {
    const command = asCommand(kind, args);
    return type === 'array' ? ['bash', '-lc', command] : command;
  }
  if (fields.path.includes(field)) return args.path;
  if (kind === 'write' && fields.content.includes(field)) return args.content;
  if (kind === 'edit') {
    if (fields.old.includes(field)) return args.old;
    if (fields.new.includes(field)) return args.new;
    if (field === 'edits')
      return [Object.fromEntries(Object.keys(schema.items?.properties ?? {}).map((key) => [key, /old/i.test(key) ? args.old : args.new]))];
  }
  if (kind === 'plan' && fields.plan.includes(field)) return planItems(schema, type, args.items);
  if (fields.remark.includes(field)) return { shell: 'Runs the command', edit: 'Changes the file', write: 'Writes the file' }[kind];
  return undefined;
}

function planItems(schema, type, items) {
  if (type === 'string') return items.map(([text, status]) => `- [${status === 'completed' ? 'x' : ' '}] ${text}`).join('\n');
  const properties = schema.items?.properties ?? { content: {}, status: {} };
  return items.map(([text, status], at) => {
    const item = {};
    for (const [field, each] of Object.entries(properties)) {
      if (field === 'status') item[field] = status;
      else if (field === 'priority') item[field] = 'medium';
      else if (field === 'id') item[field] = /number|integer/.test(typeOf(each)) ? at + 1 : String(at + 1);
      else if (/^(content|description|step|title|task|subject|name|activeForm)$/.test(field)) item[field] = text;
      else if (schema.items?.required?.includes(field)) item[field] = someValue(each);
    }
    return item;
  });
}

/** The action as a shell command. */
function asCommand(kind, { path, content, old, new: replacement, command }) {
  switch (kind) {
    case 'write':
      return `printf %s ${quoted(content)} > ${quoted(path)}`;
    case 'edit':
      return `sed -i ${quoted(`s/${old}/${replacement}/`)} ${quoted(path)}`;
    case 'read':
      return `cat ${quoted(path)}`;
    default:
      return command;
  }
}

/** The action for an agent whose only tool runs a small program that calls its other tools. */
function asProgram(kind, args) {
  if (kind === 'write' || kind === 'edit') return `text(await tools.apply_patch(${JSON.stringify(patch(kind, args))}));`;
  return `text(await tools.exec_command(${JSON.stringify({ cmd: asCommand(kind, args) })}));`;
}

function patch(kind, { path, content, old, new: replacement }) {
  const body =
    kind === 'write'
      ? [
          `*** Add File: ${path}`,
          ...content
            .replace(/\n$/, '')
            .split('\n')
            .map((line) => `+${line}`),
        ]
      : [`*** Update File: ${path}`, '@@', `-  ${old}`, `+  ${replacement}`];
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n');
}

function someValue(schema) {
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  return { boolean: false, number: 10, integer: 10, array: [], object: {} }[typeOf(schema)] ?? 'x';
}

function typeOf(schema) {
  return Array.isArray(schema?.type) ? schema.type[0] : schema?.type;
}

function quoted(text) {
  return `'${String(text).replaceAll("'", "'\\''")}'`;
}
