import { beforeAll, describe } from 'vitest'
import { clientSuite } from '@/lib/openstack/testing/client-suite'
import type { ClientTarget } from '@/lib/openstack/testing/suite/target'
import { labTarget } from './lab-cloud'

describe('real OpenStack', () => {
  let target: ClientTarget | null = null
  beforeAll(async () => {
    target = await labTarget()
  })

  clientSuite(() => {
    if (target === null) throw new Error('The lab did not answer.')
    return target
  })
})
