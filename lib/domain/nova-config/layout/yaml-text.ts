import { stringify } from 'yaml'

/**
 * A value as YAML that every reader takes for the same. Texts are quoted: Ansible and Helm's Python kin read YAML 1.1, for
 * which 0000:18:00.0 is the number 1080. Keys stand as they are, and lines are never folded.
 */
export const yamlText = (value: unknown): string =>
  stringify(value, {
    version: '1.1',
    defaultStringType: 'QUOTE_SINGLE',
    defaultKeyType: 'PLAIN',
    lineWidth: 0,
  })
