import * as vscode from 'vscode';
import type { links } from '../../core/protocol/channels/links';
import type { OpenHandlers } from '../links/openHandlers';
import { feature } from '../routing/feature';

interface LinksServices {
  openHandlers(): Promise<OpenHandlers>;
}

export default feature<typeof links, LinksServices>(({ openHandlers }) => ({
  copy: ({ text }) => vscode.env.clipboard.writeText(text),
  files: async ({ texts }, { session, post }) => {
    if (session.isRecorded) {
      // A log refers to another machine's files, so no file is looked up.
      post({ type: 'files', files: texts.map((text) => ({ text, is: 'nothing' })) });
      return;
    }
    const { fileReferences } = await import('../../application/links/fileReferences');
    post({ type: 'files', files: await fileReferences(session.roots, session.store.state, texts) });
  },
  open_location: async (place, { session }) => (await openHandlers()).openLocation(session.roots, place),
  open_link: async ({ href }, { session }) => (await openHandlers()).openLink(session.roots, href),
  open_diff: async ({ entryId, content, change }, { session }) => (await openHandlers()).openDiff(session, entryId, content, change),
  open_content: async ({ entryId, content }, { session }) => (await openHandlers()).openContent(session.store.state, entryId, content),
}));
