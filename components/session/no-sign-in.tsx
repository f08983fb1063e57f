import { EmptyState } from '@/components/ui/states'
import { ApiError } from '@/lib/api/client'

export const isNoSignIn = (error: Error): boolean =>
  error instanceof ApiError && error.code === 'precondition'

/** Not available here, as against nothing there yet. */
export const NoSignIn = ({ what }: { what: string }) => (
  <EmptyState title={`No ${what} without sign-in`}>
    Sign-in is off because no cloud is configured. Anyone who can reach the console on this machine is an
    admin. To enable sign-in through Keystone, add a cloud to clouds.yaml and restart the console.
  </EmptyState>
)
