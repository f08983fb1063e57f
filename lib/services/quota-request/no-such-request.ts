import { ServiceError } from '@/lib/server/errors/service-error'

export const noSuchRequest = (id: number): ServiceError =>
  new ServiceError('not_found', `There is no request ${id}. Reload the list.`, { field: 'id' })
