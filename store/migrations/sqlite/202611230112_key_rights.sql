-- What an API key may do besides its scope, in names joined by commas; what it may do at most, as JSON, empty for no
-- limit; and the value of one that is no secret, for browsers. An older binary would let a restricted key do all that its
-- scope may, so none works beside this one.
ALTER TABLE api_keys ADD COLUMN areas TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN restriction TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN public_value TEXT NOT NULL DEFAULT '';
