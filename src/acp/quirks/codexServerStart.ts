/** codex-acp reports an MCP server that did not start as a failed tool call, before any prompt. */
import type { EventInput } from '../../core/model/event';
import { type Fields, isRecord, textOf } from '../json/fields';

const CALL = /^mcp_startup\.(.{1,200})\.[\da-f-]{36}$/;

/** Returns the notice that names the server; undefined for any other update. */
export function failedStart({ toolCallId, status, content }: Fields): EventInput | undefined {
  const server = typeof toolCallId === 'string' && status === 'failed' ? CALL.exec(toolCallId)?.[1] : undefined;
  if (server === undefined) {
    return undefined;
  }
  const [first]: readonly unknown[] = Array.isArray(content) ? content : [];
  const block = isRecord(first) && isRecord(first.content) ? textOf(first.content.text) : undefined;
  const detail = block?.replace(/^\[codex-acp [^\]]{1,60}\] /, '');
  return {
    type: 'notice',
    noticeId: `server-${server}`,
    severity: 'warning',
    title: '',
    failure: { code: 'mcp.failed', params: { servers: server }, ...(detail !== undefined && { detail }) },
  };
}
