import { beforeAll } from 'vitest'
import { labHosts } from './lab-cloud'
import { openOperator } from './operator'
import { reviveComputes } from './restart-compute'

beforeAll(async () => {
  const operator = await openOperator()
  try {
    await reviveComputes(operator, labHosts())
  } finally {
    await operator.close()
  }
})
