import { describe } from 'vitest'
import { keystoneCases } from './suite/keystone-cases'
import { limitCases } from './suite/limit-cases'
import { newServerCases } from './suite/new-server-cases'
import { novaCases } from './suite/nova-cases'
import { novaFlavorCases } from './suite/nova-flavor-cases'
import { novaWriteCases } from './suite/nova-write-cases'
import { placementAllocationCases } from './suite/placement-allocation-cases'
import { placementCases } from './suite/placement-cases'
import { quotaCases } from './suite/quota-cases'
import { readingCases } from './suite/reading-cases'
import type { ClientTarget } from './suite/target'

/**
 * The behavior that the clients depend on, as tests that run unchanged against the simulator and a real control plane.
 * They write only their own objects, under unique names, and delete them again.
 */
export const clientSuite = (target: () => ClientTarget): void => {
  describe('Keystone', () => keystoneCases(target))
  describe('limits', () => limitCases(target))
  describe('quotas and roles', () => quotaCases(target))
  describe('Placement', () => placementCases(target))
  describe('allocations and candidates', () => placementAllocationCases(target))
  describe('Nova', () => novaCases(target))
  describe('closing hosts and running servers', () => novaWriteCases(target))
  describe('new servers of tenants', () => newServerCases(target))
  describe('flavors and aggregates', () => novaFlavorCases(target))
  describe('reading rounds', () => readingCases(target))
}
