import { ACCOUNT_AREA } from './account-operations'
import { CHANGE_AREA } from './change-operations'
import { FINDING_AREA } from './finding-operations'
import { FLAVOR_AREA } from './flavor-operations'
import { FLEET_AREA } from './fleet-operations'
import { HOST_REMOVAL_AREA } from './host-removal-operations'
import { MONITORING_AREA } from './monitoring-operations'
import type { Area } from './operation'
import { QUOTA_AREA } from './quota-operations'
import { REVIEW_AREA } from './review-operations'
import { TENANT_AREA } from './tenant-operations'
import { UTILISATION_AREA } from './utilisation-operations'
import { WEBHOOK_AREA } from './webhook-operations'

/** All that the API offers to browsers and scripts, in the order of the console's rooms. */
export const API_AREAS: readonly Area[] = [
  FLEET_AREA,
  HOST_REMOVAL_AREA,
  UTILISATION_AREA,
  REVIEW_AREA,
  FINDING_AREA,
  CHANGE_AREA,
  FLAVOR_AREA,
  QUOTA_AREA,
  ACCOUNT_AREA,
  TENANT_AREA,
  MONITORING_AREA,
  WEBHOOK_AREA,
]
