import { EmptyState } from '@/components/ui/states'
import { ApiError } from '@/lib/api/client'

export const isNoSignIn = (error: Error): boolean =>
  error instanceof ApiError && error.code === 'precondition'

/** Not available here, as against nothing there yet. */
export const NoSignIn = ({ what }: { what: string }) => (
  <EmptyState title={`This console has no ${what}`}>
    It runs without sign-in, because no cloud is configured: whoever reaches it on this machine is admin. Name
    a cloud in clouds.yaml and restart it, and people sign in through the cloud's Keystone.
  </EmptyState>
)
