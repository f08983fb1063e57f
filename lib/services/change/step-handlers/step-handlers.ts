import 'server-only'
import type { StepTask } from '@/lib/domain/plans/types'
import { awaitAliasWork } from './await-alias'
import { awaitEmptyWork } from './await-empty'
import { awaitOfferWork } from './await-offer'
import { bindDriverWork } from './bind-driver'
import { clearSparesWork } from './clear-spares'
import { closeServiceWork } from './close-service'
import { createAggregateWork } from './create-aggregate'
import { createFlavorWork } from './create-flavor'
import { createRegisteredLimitsWork } from './create-registered-limits'
import { createTraitWork } from './create-trait'
import { deleteTestWork } from './delete-test'
import { drainServerWork } from './drain-server'
import {
  describeFlavorWork,
  setAggregateHostsWork,
  setAggregatePropertiesWork,
  setExtraSpecsWork,
  setFlavorAccessWork,
} from './flavor-handlers'
import { followCapacityWork } from './follow-capacity'
import { grantSystemRoleWork } from './grant-system-role'
import { keepTraitsWork } from './keep-traits'
import { moveTraitsWork } from './move-traits'
import { openServiceWork } from './open-service'
import { removeMdevWork } from './remove-mdev'
import { removeStaleProviderWork } from './remove-stale-provider'
import { removeStrayLimitsWork } from './remove-stray-limits'
import { restartNovaWork } from './restart-nova'
import { setProjectLimitsWork } from './set-project-limits'
import { setRegisteredLimitWork } from './set-registered-limit'
import { setTraitsWork } from './set-traits'
import { setVfioTypeWork } from './set-vfio-type'
import type { StepWork } from './step-work'
import { switchVfsWork } from './switch-vfs'
import { testBootWork } from './test-boot'
import { verifyRoomWork } from './verify-headroom'
import { verifySlicedWork, verifyWholeWork } from './verify-passthrough'
import { verifyPgpuWork } from './verify-pgpu'
import { writeConfigWork } from './write-config'
import { writeCpuConfigWork } from './write-cpu-config'
import { writePciConfigWork } from './write-pci-config'
import { writeProviderConfigWork } from './write-provider-config'

/** Every kind of step; a task without its work does not compile. */
const WORKS: { readonly [Kind in StepTask['kind']]: StepWork<Extract<StepTask, { kind: Kind }>> } = {
  'await-alias': awaitAliasWork,
  'await-empty': awaitEmptyWork,
  'await-offer': awaitOfferWork,
  'bind-driver': bindDriverWork,
  'clear-spares': clearSparesWork,
  'close-service': closeServiceWork,
  'create-aggregate': createAggregateWork,
  'create-flavor': createFlavorWork,
  'create-registered-limits': createRegisteredLimitsWork,
  'create-trait': createTraitWork,
  'delete-test': deleteTestWork,
  'describe-flavor': describeFlavorWork,
  'drain-server': drainServerWork,
  'follow-capacity': followCapacityWork,
  'grant-system-role': grantSystemRoleWork,
  'keep-traits': keepTraitsWork,
  'move-traits': moveTraitsWork,
  'open-service': openServiceWork,
  'remove-mdev': removeMdevWork,
  'remove-stale-provider': removeStaleProviderWork,
  'remove-stray-limits': removeStrayLimitsWork,
  'restart-nova': restartNovaWork,
  'set-aggregate-hosts': setAggregateHostsWork,
  'set-aggregate-properties': setAggregatePropertiesWork,
  'set-extra-specs': setExtraSpecsWork,
  'set-flavor-access': setFlavorAccessWork,
  'set-project-limits': setProjectLimitsWork,
  'set-registered-limit': setRegisteredLimitWork,
  'set-traits': setTraitsWork,
  'set-vfio-type': setVfioTypeWork,
  'switch-vfs': switchVfsWork,
  'test-boot': testBootWork,
  'verify-pgpu': verifyPgpuWork,
  'verify-sliced': verifySlicedWork,
  'verify-whole': verifyWholeWork,
  'verify-room': verifyRoomWork,
  'write-config': writeConfigWork,
  'write-cpu-config': writeCpuConfigWork,
  'write-pci-config': writePciConfigWork,
  'write-provider-config': writeProviderConfigWork,
}

/** The work of a task. */
export const workOf = (task: StepTask): StepWork<StepTask> =>
  // The table has every kind; TypeScript cannot infer that each kind selects the handler for its task.
  WORKS[task.kind] as StepWork<StepTask>
