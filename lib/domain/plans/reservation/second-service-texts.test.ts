import { expect, test } from 'vitest'
import { canVerifyUnits, verifyUnit } from '@/lib/domain/testing/verify-unit'
import { secondUnitText } from './second-service-texts'

test.skipIf(!canVerifyUnits)(
  'the unit is accepted by systemd-analyze verify, where that is installed',
  () => {
    expect(verifyUnit('openstack-nova-gpu', secondUnitText())).toEqual({ messages: [], status: 0 })
  },
)
