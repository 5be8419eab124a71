import type { Roots } from '../../core/model/roots';
import type { code } from '../../core/protocol/channels/code';
import type { Session } from '../../session/session';
import type { CodeBlocks } from '../code/codeBlocks';
import type { SessionCommands } from '../sessions/sessionCommands';
import { feature } from '../routing/feature';

interface CodeServices {
  readonly code: Pick<CodeBlocks, 'insert' | 'apply' | 'run'>;
  readonly sessionCommands: Pick<SessionCommands, 'chooseFolder'>;
}

export default feature<typeof code, CodeServices>(({ code, sessionCommands }) => {
  // A replayed log has no folder, so the user chooses one.
  const rootsOf = async (session: Session): Promise<Roots | undefined> =>
    session.isRecorded ? sessionCommands.chooseFolder() : session.roots;
  return {
    insert_code: ({ text }) => code.insert(text),
    apply_code: async ({ text, info }, { session }) => {
      const roots = await rootsOf(session);
      await (roots && code.apply(roots, text, info));
    },
    run_code: async ({ text }, { session }) => {
      const roots = await rootsOf(session);
      await (roots && code.run(roots, text));
    },
  };
});
