# Needs MADANG_URL and MADANG_API_KEY, and `madang` on the PATH.
set -eu

madang users create kim_cli --name Kim --meta team=blue
madang users create park_cli --name 박서준
madang channels create lunch_cli --name Lunch --members kim_cli park_cli
madang messages send lunch_cli kim_cli --content '점심 먹을까요?'
madang members list lunch_cli

madang users list --limit 2 --json > users.ndjson

printf 'user_id,name\nkim_cli,Kim Min-ji\nchoi_cli,Choi\n' > users.csv
madang users upsert users.csv --dry-run
madang users upsert - --format csv < users.csv

echo '{"user_id": "lee_cli", "name": "Lee"}' | madang users create lee_cli --input -

if madang users get nobody_cli; then
  echo "there is a nobody"
else
  echo "exit code $?"
fi

madang channels delete lunch_cli --yes
