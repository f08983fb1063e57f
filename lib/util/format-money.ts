/**
 * An amount with its currency: `EUR 0.45`, `EUR 126,000`. `amount` is a decimal text; from 100 on, an amount without cents
 * is written without decimals.
 */
export const formatMoney = ({ amount, currency }: { amount: string; currency: string }): string => {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  const decimals = whole.length > 2 && /^0*$/.test(fraction) ? '' : `.${fraction.padEnd(2, '0')}`
  return `${currency} ${amount.startsWith('-') ? '−' : ''}${grouped}${decimals}`
}
