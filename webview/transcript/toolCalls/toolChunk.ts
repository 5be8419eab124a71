/** The content of tool calls, and other components that show the same; see `chunks.ts`. */
export { PermissionView } from '../permission/permission';
export { Raw } from '../content/raw';
export { ToolBody } from './toolBody';
export { ToolMenu } from './toolMenu';
