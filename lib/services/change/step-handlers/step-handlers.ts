import 'server-only'
import type { StepTask } from '@/lib/domain/plans/types'
import { awaitAliasHandler } from './await-alias'
import { awaitEmptyHandler } from './await-empty'
import { awaitOfferHandler } from './await-offer'
import { bindDriverHandler } from './bind-driver'
import { clearSparesHandler } from './clear-spares'
import { closeServiceHandler } from './close-service'
import { createAggregateHandler } from './create-aggregate'
import { createFlavorHandler } from './create-flavor'
import { createRegisteredLimitsHandler } from './create-registered-limits'
import { createTraitHandler } from './create-trait'
import { deleteTestHandler } from './delete-test'
import { drainServerHandler } from './drain-server'
import {
  describeFlavorHandler,
  setAggregateHostsHandler,
  setAggregatePropertiesHandler,
  setExtraSpecsHandler,
  setFlavorAccessHandler,
} from './flavor-handlers'
import { followCapacityHandler } from './follow-capacity'
import { grantSystemRoleHandler } from './grant-system-role'
import { keepTraitsHandler } from './keep-traits'
import { moveTraitsHandler } from './move-traits'
import { openServiceHandler } from './open-service'
import { removeMdevHandler } from './remove-mdev'
import { removeStaleProviderHandler } from './remove-stale-provider'
import { removeStrayLimitsHandler } from './remove-stray-limits'
import { restartNovaHandler } from './restart-nova'
import { setProjectLimitsHandler } from './set-project-limits'
import { setRegisteredLimitHandler } from './set-registered-limit'
import { setTraitsHandler } from './set-traits'
import { setVfioTypeHandler } from './set-vfio-type'
import type { StepHandler } from './step-work'
import { switchVfsHandler } from './switch-vfs'
import { testBootHandler } from './test-boot'
import { verifyHeadroomHandler } from './verify-headroom'
import { verifySlicedHandler, verifyWholeHandler } from './verify-passthrough'
import { verifyPgpuHandler } from './verify-pgpu'
import { writeConfigHandler } from './write-config'
import { writeCpuConfigHandler } from './write-cpu-config'
import { writePciConfigHandler } from './write-pci-config'
import { writeProviderConfigHandler } from './write-provider-config'

/** Every kind of step; a task without a handler does not compile. */
const STEP_HANDLERS: { readonly [Kind in StepTask['kind']]: StepHandler<Extract<StepTask, { kind: Kind }>> } =
  {
    'await-alias': awaitAliasHandler,
    'await-empty': awaitEmptyHandler,
    'await-offer': awaitOfferHandler,
    'bind-driver': bindDriverHandler,
    'clear-spares': clearSparesHandler,
    'close-service': closeServiceHandler,
    'create-aggregate': createAggregateHandler,
    'create-flavor': createFlavorHandler,
    'create-registered-limits': createRegisteredLimitsHandler,
    'create-trait': createTraitHandler,
    'delete-test': deleteTestHandler,
    'describe-flavor': describeFlavorHandler,
    'drain-server': drainServerHandler,
    'follow-capacity': followCapacityHandler,
    'grant-system-role': grantSystemRoleHandler,
    'keep-traits': keepTraitsHandler,
    'move-traits': moveTraitsHandler,
    'open-service': openServiceHandler,
    'remove-mdev': removeMdevHandler,
    'remove-stale-provider': removeStaleProviderHandler,
    'remove-stray-limits': removeStrayLimitsHandler,
    'restart-nova': restartNovaHandler,
    'set-aggregate-hosts': setAggregateHostsHandler,
    'set-aggregate-properties': setAggregatePropertiesHandler,
    'set-extra-specs': setExtraSpecsHandler,
    'set-flavor-access': setFlavorAccessHandler,
    'set-project-limits': setProjectLimitsHandler,
    'set-registered-limit': setRegisteredLimitHandler,
    'set-traits': setTraitsHandler,
    'set-vfio-type': setVfioTypeHandler,
    'switch-vfs': switchVfsHandler,
    'test-boot': testBootHandler,
    'verify-pgpu': verifyPgpuHandler,
    'verify-sliced': verifySlicedHandler,
    'verify-whole': verifyWholeHandler,
    'verify-room': verifyHeadroomHandler,
    'write-config': writeConfigHandler,
    'write-cpu-config': writeCpuConfigHandler,
    'write-pci-config': writePciConfigHandler,
    'write-provider-config': writeProviderConfigHandler,
  }

/** The handler of a task. */
export const handlerOf = (task: StepTask): StepHandler<StepTask> =>
  // The table has every kind; TypeScript cannot infer that each kind selects the handler for its task.
  STEP_HANDLERS[task.kind] as StepHandler<StepTask>
