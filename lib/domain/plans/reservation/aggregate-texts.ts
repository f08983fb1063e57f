import {
  CONFIG_DEPLOYMENTS,
  type ConfigDeployment,
  type ConfigText,
} from '@/lib/domain/nova-config/layout/config-text'
import type { DeploymentConfig } from '@/lib/domain/nova-config/layout/describe-configs'
import { iniText, type NovaSection, sectionMap } from '@/lib/domain/nova-config/layout/nova-sections'
import { novaConf } from '@/lib/util/encode/nova-conf'
import { yamlDocument } from '@/lib/util/encode/yaml'

const SECTIONS: readonly NovaSection[] = [
  {
    name: novaConf`scheduler`,
    options: [[novaConf`enable_isolated_aggregate_filtering`, novaConf`true`]],
  },
]

const TITLE = 'nova.conf of nova-scheduler'
const RESTART = 'nova-scheduler reads it at its next start.'

const ini = (path: string, note: string): ConfigText => ({
  title: TITLE,
  path,
  language: 'ini',
  text: iniText(SECTIONS),
  notes: [note],
})

const yamlText = (path: string, value: unknown, note: string): ConfigText => ({
  title: TITLE,
  path,
  language: 'yaml',
  text: yamlDocument(value),
  notes: [note],
})

const TEXTS: Readonly<Record<ConfigDeployment, () => ConfigText>> = {
  'nova-conf': () =>
    ini('/etc/nova/nova.conf.d/99-sliceboard-scheduler.conf on the hosts of nova-scheduler', RESTART),
  mosk: () =>
    yamlText(
      'spec:services:compute:nova:values:conf:nova of the OpenStackDeployment',
      {
        apiVersion: 'lcm.mirantis.com/v1alpha1',
        kind: 'OpenStackDeployment',
        spec: {
          services: { compute: { nova: { values: { conf: { nova: sectionMap(SECTIONS) } } } } },
        },
      },
      'Merge it with "kubectl -n openstack edit osdpl".',
    ),
  'openstack-helm': () =>
    yamlText(
      'conf:nova in the values of the release nova',
      { conf: { nova: sectionMap(SECTIONS) } },
      'Apply it with "helm upgrade nova … --values".',
    ),
  'kolla-ansible': () =>
    ini(
      '/etc/kolla/config/nova/nova-scheduler.conf',
      'Roll it out with "kolla-ansible reconfigure --tags nova" with your inventory.',
    ),
  'openstack-ansible': () =>
    yamlText(
      '/etc/openstack_deploy/group_vars/nova_scheduler.yml',
      { nova_nova_conf_overrides: sectionMap(SECTIONS) },
      'Roll it out with "openstack-ansible os-nova-install.yml --tags nova-config --limit nova_scheduler".',
    ),
  juju: () =>
    yamlText(
      'nova-cloud-controller-options.yaml',
      { 'nova-cloud-controller': { 'enable-isolated-aggregate-filtering': true } },
      'Set it with "juju config nova-cloud-controller --file nova-cloud-controller-options.yaml". If the charm has no such option, set it in nova.conf of the units.',
    ),
}

/** The option of nova-scheduler that makes aggregates with a required trait exclusive, for each deployment tool. */
export const schedulerConfigs = (): DeploymentConfig[] =>
  CONFIG_DEPLOYMENTS.map((deployment) => ({ deployment, texts: [TEXTS[deployment]()], problem: null }))
