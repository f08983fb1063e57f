import { ServiceError } from '@/lib/server/errors/service-error'

export const noSuchFinding = (id: number): ServiceError =>
  new ServiceError('not_found', `There is no finding ${id}. Reload the list.`, { field: 'id' })
