#!/bin/sh
# A bot that needs nothing but a shell: says UNO where it can, else takes the first legal action.
while IFS= read -r line; do
    case $line in *'"legal":['*) ;; *) continue ;; esac
    actions=${line##*'"legal":['}
    number=0
    choice=0
    while :; do
        case ${actions%%'}},{'*} in *'"uno":true'*) choice=$number ;; esac
        case $actions in *'}},{'*) ;; *) break ;; esac
        actions=${actions#*'}},{'}
        number=$((number + 1))
    done
    echo "{\"legal\":$choice}"
done
