import { ServiceError } from '@/lib/server/errors/service-error'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

export const notReadYet = ({ name }: Cloud): ServiceError =>
  new ServiceError(
    'unavailable',
    `OpenStack of cloud "${name}" has not been read yet. Wait for the first reading round, or check Settings, Cloud.`,
  )
