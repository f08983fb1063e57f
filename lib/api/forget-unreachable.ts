import type { QueryClient } from '@tanstack/react-query'
import { isUnreachable } from './client'

/** After the connection was lost: data is requested again, and its failures no longer count. */
export const forgetUnreachable = (client: QueryClient): void => {
  for (const query of client.getQueryCache().getAll()) {
    const { data, error } = query.state
    if (data !== undefined && isUnreachable(error)) query.setState({ error: null, status: 'success' })
  }
  void client.invalidateQueries()
}
