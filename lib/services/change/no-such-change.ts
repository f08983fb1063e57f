import { ServiceError } from '@/lib/server/errors/service-error'

export const noSuchChange = (id: number): ServiceError =>
  new ServiceError('not_found', `There is no change ${id}. Reload the list.`, { field: 'id' })
