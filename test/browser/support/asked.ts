/** Questions on tool calls, for browser tests. */
import type { PermissionSubject } from '../../../src/core/model/content';
import type { ToolCallPatch, EventInput } from '../../../src/core/model/event';
import { permissionRequest, toolCall } from '../../support/events';

export const FOLDER = '/home/ada/sample';
export const OPTIONS = [
  { optionId: 'y', name: 'Yes, once', kind: 'allow_once' },
  { optionId: 'a', name: 'Yes, always', kind: 'allow_always' },
  { optionId: 'n', name: 'No', kind: 'reject_once' },
];

export interface Asked {
  readonly call?: ToolCallPatch;
  readonly title?: string;
  readonly description?: string;
  readonly subject?: PermissionSubject;
}

/** Counts up so that ids are unique in a page: a reused id would inherit the old card's expanded state. */
let count = 0;

/** A tool call and a permission request for it. */
export function asked({ call = {}, title = call.title ?? '', description, subject = {} }: Asked, id = `c${count++}`): EventInput[] {
  return [
    toolCall(id, { status: 'pending', ...call }),
    permissionRequest(id, title, {
      options: OPTIONS,
      subject: { toolCallId: id, ...subject },
      ...(description !== undefined && { description }),
    }),
  ];
}
