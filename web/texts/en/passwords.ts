// Texts about a new password, by the ids of its rules (contract/passwords.ts).
export const labels = {
  length: 'At least 8 characters',
  number: 'At least one number',
  uppercase: 'At least one uppercase letter',
  lowercase: 'At least one lowercase letter',
  special: 'At least one special character, such as ! ? # or %',
}
export const messages = {
  length: 'Password must be at least 8 characters',
  number: 'Password must contain at least one number',
  uppercase: 'Password must contain at least one uppercase letter',
  lowercase: 'Password must contain at least one lowercase letter',
  special: 'Password must contain at least one special character',
}
/** By the number of fulfilled rules. */
export const strengths = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong', 'Very strong']
export const passwordStrength = 'Password strength'
export const done = 'done'
export const missing = 'missing'
