/** What tool calls hold, and what else shows the same; see `parts.ts`. */
export { PermissionView } from '../permission/permission';
export { Raw } from './raw';
export { ToolBody } from './toolBody';
export { ToolMenu } from './toolMenu';
