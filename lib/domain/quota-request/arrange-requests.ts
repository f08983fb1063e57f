import type { ListedRequest, RequestGroup } from '@/lib/schemas/api/quota-request'
import { hasTerms, searchTerms } from '@/lib/util/search-terms'
import type { RequestStatus } from './request-status'

const GROUP_OF: Readonly<Record<RequestStatus, RequestGroup>> = {
  open: 'open',
  unwritten: 'open',
  reverted: 'open',
  writing: 'granted',
  granted: 'granted',
  ending: 'granted',
  ended: 'past',
  left: 'past',
  declined: 'past',
  withdrawn: 'past',
}

/** The group in which a request is listed. */
export const groupOf = ({ status }: Pick<ListedRequest, 'status'>): RequestGroup => GROUP_OF[status]

type Row = Pick<ListedRequest, 'status' | 'projectName' | 'resourceName' | 'reason' | 'madeBy'>

/** The requests of a group that contain every word of `q` in project, class, reason or requester. */
export const arrangeRequests = <Request extends Row>(
  requests: readonly Request[],
  { q, group }: { q: string; group: RequestGroup | null },
): Request[] => {
  const words = searchTerms(q)
  return requests.filter((request) => {
    const { projectName, resourceName, reason, madeBy } = request
    return (
      (group === null || groupOf(request) === group) &&
      hasTerms(`${projectName} ${resourceName} ${reason} ${madeBy}`, words)
    )
  })
}
