import 'server-only'
import { LOGIN_PROBLEMS, type LoginProblem } from '@/lib/schemas/api/session'
import { isRequestId } from '@/lib/server/context/request-id'
import { sessionEndSentence } from '@/lib/server/session/session-end-sentence'
import type { SessionEnd } from '@/lib/server/session/session-state'

const PROBLEMS: Record<LoginProblem, (requestId: string) => string> = {
  'not-started': () =>
    'The identity provider sent you back, but this browser had not started a sign-in, or too long ago. Start it here.',
  'no-role': () => 'You have signed in, but have no role on any project: ask an admin of the cloud for one.',
  failed: (requestId) =>
    `The sign-in failed. Try again in a few minutes. If the problem persists, report the request ID ${requestId} to an admin.`,
}

/** The notice on the sign-in page: how the last session ended, or what failed with the identity provider. */
export const loginNotice = ({
  end,
  problem,
  request,
}: {
  end: SessionEnd | null
  problem: string | undefined
  /** Id of the request that failed, under which the log has the reason. */
  request: string | undefined
}): string | null => {
  const known = LOGIN_PROBLEMS.find((one) => one === problem)
  if (known !== undefined) return PROBLEMS[known](isRequestId(request) ? request : 'unknown')
  return end === null ? null : sessionEndSentence(end)
}
