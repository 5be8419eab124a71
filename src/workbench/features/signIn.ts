import type { signIn } from '../../core/protocol/channels/signIn';
import { feature } from '../../application/routing/feature';

export const signInFeature = feature<typeof signIn>(() => ({
  sign_in: ({ methodId }, { session }) => session.signIn(methodId),
}));
