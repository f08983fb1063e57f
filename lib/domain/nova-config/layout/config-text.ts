import type { Encoded } from '@/lib/util/encode/encoded'
import type { LayoutGroup } from './mdev-layout'

/** Ways in which clouds are deployed and their nova.conf is kept. */
export const CONFIG_DEPLOYMENTS = [
  'nova-conf',
  'mosk',
  'openstack-helm',
  'kolla-ansible',
  'openstack-ansible',
  'juju',
] as const
export type ConfigDeployment = (typeof CONFIG_DEPLOYMENTS)[number]

/** How people call them. */
export const DEPLOYMENT_NAMES: Readonly<Record<ConfigDeployment, string>> = {
  'nova-conf': 'nova.conf drop-in',
  mosk: 'MOSK',
  'openstack-helm': 'openstack-helm',
  'kolla-ansible': 'Kolla-Ansible',
  'openstack-ansible': 'OpenStack-Ansible',
  juju: 'Juju charm',
}

/** A text to be put into a deployment tool, or onto a host. */
export type ConfigText = {
  /** What it is and for which hosts. */
  title: string
  /** Where it goes; a path, or the object that it is merged into. */
  path: string
  language: 'ini' | 'yaml' | 'shell'
  text: Encoded<'nova-conf' | 'yaml' | 'shell' | 'systemd'>
  /** What to do with it and what to check, one sentence each. */
  notes: string[]
}

/** The input of a deployment's texts. `release` is Nova's number: 24 is Xena. */
export type RenderInput = { groups: readonly LayoutGroup[]; release: number }
